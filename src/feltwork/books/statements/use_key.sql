-- A use of a key with its counter.
INSERT INTO books.security_key_use (key, counter) VALUES (%s, %s)
