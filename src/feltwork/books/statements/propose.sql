-- A command that waits for its second person.
INSERT INTO books.proposal (id, command, about, body, fingerprint, proposed_by, lapses_at)
VALUES (%(id)s, %(command)s, %(about)s, %(body)s, %(fingerprint)s, %(by)s,
        clock_timestamp() + make_interval(secs => %(seconds)s))
