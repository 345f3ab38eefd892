-- The last round that each table has told of on each of its links: its number, and of one that began within the last
-- ten minutes also whether it runs still or has only just ended, and its seats. Screens show it of tables that speak
-- over the wire; nobody waits for it.
SELECT numbered.link, numbered.table_id, upper(numbered.booked) - 1, round.number IS NOT NULL,
       round.number IS NOT NULL AND (round.is_fresh OR NOT coalesce(ended.booked @> round.number, false)),
       coalesce(books.locked_seats(numbered.link, numbered.table_id, round.number, round.seats), '{}')
  FROM books.numbered
  LEFT JOIN books.ended USING (table_id, link)
  LEFT JOIN LATERAL (
    SELECT number, seats,
           started_at > (extract(epoch FROM statement_timestamp()) - 60) * 1000000 AS is_fresh
      FROM books.round
     WHERE round.link = numbered.link AND round.table_id = numbered.table_id
       AND round.number = upper(numbered.booked) - 1
       AND booked_at > statement_timestamp() - interval '10 minutes'
       AND started_at > (extract(epoch FROM statement_timestamp()) - 600) * 1000000
     LIMIT 1
  ) AS round ON true
