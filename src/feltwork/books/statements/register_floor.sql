-- A floor file; its fingerprint is the hash of its text.
INSERT INTO books.floor (fingerprint, body, registered_by, approved_by) VALUES (%s, %s, %s, %s)
RETURNING number
