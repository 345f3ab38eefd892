-- The messages of a round, by their steps, that are written down already.
SELECT array_agg((fact ->> 'step')::integer) FROM books.table_fact
 WHERE link = %s AND table_id = %s AND number = %s AND jsonb_exists(fact, 'step')
