-- A refused round is kept with its problem.
INSERT INTO books.parked (link, table_id, number, round, problem) VALUES (%s, %s, %s, %s, %s)
ON CONFLICT DO NOTHING
