-- Booked rounds, to compare with what was sent again.
SELECT asked.table_id, asked.number, round.started_at, round.wager, round.seats
  FROM unnest(%s::text[], %s::bigint[]) AS asked (table_id, number)
  JOIN books.round ON round.link = %s AND round.number = asked.number AND round.table_id = asked.table_id
