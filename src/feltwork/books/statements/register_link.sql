-- A link that is not known yet.
INSERT INTO books.link (id, kind) VALUES (%s, %s) ON CONFLICT DO NOTHING
