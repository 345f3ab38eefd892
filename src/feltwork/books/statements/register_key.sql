-- A security key of somebody.
INSERT INTO books.security_key (id, person, public_key, enrolment) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING
