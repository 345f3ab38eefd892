-- A configuration that a link may get.
INSERT INTO books.version (link, fingerprint, body, registered_by) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING
