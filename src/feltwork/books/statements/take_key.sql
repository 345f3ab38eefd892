-- A key that opens nothing any more.
INSERT INTO books.security_key_taken (key, taken_by, approved_by, why) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING
