-- Which of these rounds are booked already.
SELECT asked.table_id, asked.number
  FROM unnest(%s::text[], %s::bigint[]) AS asked (table_id, number)
  JOIN books.numbered AS had ON had.link = %s AND had.table_id = asked.table_id AND had.booked @> asked.number
