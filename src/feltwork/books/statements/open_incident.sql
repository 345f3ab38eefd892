-- A malfunction that somebody has learned of; the database's clock where no time is given.
INSERT INTO books.incident (link, table_id, what, learned_at, notify_by, opened_by)
VALUES (%(link)s, %(table)s, %(what)s, %(learned_at)s, %(notify_by)s, %(by)s) RETURNING number
