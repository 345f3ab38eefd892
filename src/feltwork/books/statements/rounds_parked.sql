-- Which of these rounds are parked.
SELECT asked.table_id, asked.number
  FROM unnest(%s::text[], %s::bigint[]) AS asked (table_id, number)
  JOIN books.parked
    ON parked.link = %s AND parked.table_id = asked.table_id AND parked.number = asked.number
