-- Of which of these rounds the end is booked already.
SELECT asked.table_id, asked.number
  FROM unnest(%s::text[], %s::bigint[]) AS asked (table_id, number)
  JOIN books.ended AS had ON had.link = %s AND had.table_id = asked.table_id AND had.booked @> asked.number
