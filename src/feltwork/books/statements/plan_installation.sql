-- What will be installed or tested live, and the notice of it.
INSERT INTO books.installation (what, begins_at, notified_at, notice, planned_by)
VALUES (%(what)s, %(begins_at)s, %(notified_at)s, %(notice)s, %(by)s) RETURNING number
