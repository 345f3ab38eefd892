-- Which of these rounds are parked.
SELECT asked.table_id, asked.number
  FROM unnest(%s::text[], %s::bigint[]) AS asked (table_id, number)
  JOIN books.parked USING (table_id, number)
