-- Somebody may have a new PIN, password or security key, once.
INSERT INTO books.enrolment (id, person, what, granted_by, approved_by, lapses_at)
VALUES (%(id)s, %(person)s, %(what)s, %(granted_by)s, %(approved_by)s,
        clock_timestamp() + make_interval(secs => %(seconds)s))
