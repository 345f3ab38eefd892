-- Rounds of one batch into a partition; its trigger books their numbers and lays their wagers against the entry.
COPY books.{partition} (table_id, number, link, started_at, wager, seats, entry) FROM STDIN
