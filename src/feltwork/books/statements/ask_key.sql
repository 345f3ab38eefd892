-- A challenge for a key, open for a while.
INSERT INTO books.key_challenge (ticket_hash, person, enrolment, challenge, place, lapses_at)
VALUES (%s, %s, %s, %s, %s, clock_timestamp() + make_interval(secs => %s))
