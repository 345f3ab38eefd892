-- Ends of rounds of one batch.
INSERT INTO books.round_end (table_id, number, link, ended_at, fixed, envy, entry)
SELECT one.table_id, one.number, %(link)s, one.ended_at, one.fixed, one.envy, %(entry)s
  FROM unnest(%(tables)s::text[], %(numbers)s::bigint[], %(times)s::bigint[], %(fixed)s::bigint[],
              %(envy)s::bigint[]) AS one (table_id, number, ended_at, fixed, envy)
