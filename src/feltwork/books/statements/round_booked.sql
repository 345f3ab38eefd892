-- A booked round, and the entry that booked it.
SELECT link, started_at, wager, seats, entry FROM books.round WHERE table_id = %s AND number = %s
