-- It was done, or will not be; once.
INSERT INTO books.installation_end (installation, outcome, says, ended_by) VALUES (%s, %s, %s, %s)
ON CONFLICT DO NOTHING
