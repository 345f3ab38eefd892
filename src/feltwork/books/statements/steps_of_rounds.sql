-- How many messages of each of these rounds are written down already.
SELECT asked.table_id, asked.number, count(*)
  FROM unnest(%s::text[], %s::bigint[]) AS asked (table_id, number)
  JOIN books.table_fact AS said
    ON said.link = %s AND said.table_id = asked.table_id AND said.number = asked.number
       AND jsonb_exists(said.fact, 'step')
 GROUP BY 1, 2
