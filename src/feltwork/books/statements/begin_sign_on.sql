-- A sign-on at a table that ends by itself, and when it does.
INSERT INTO books.sign_on (id_hash, person, role, table_id, ends_at)
VALUES (%s, %s, %s, %s, clock_timestamp() + make_interval(secs => %s))
RETURNING (extract(epoch FROM ends_at) * 1000000)::bigint
