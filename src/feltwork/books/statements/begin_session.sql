-- A session that ends by itself, and how its person was proved.
INSERT INTO books.session (token_hash, person, place, ends_at, proof)
VALUES (%s, %s, %s, clock_timestamp() + make_interval(secs => %s), %s)
