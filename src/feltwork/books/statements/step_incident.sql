-- The regulator was told, or it is closed; each once.
INSERT INTO books.incident_step (incident, step, says, done_by) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING
