-- A session that ends by itself.
INSERT INTO books.session (token_hash, person, place, ends_at)
VALUES (%s, %s, %s, clock_timestamp() + make_interval(secs => %s))
