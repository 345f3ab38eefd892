-- The round of a table as it stands.
INSERT INTO books.table_round (table_id, link, number, state) VALUES (%s, %s, %s, %s)
ON CONFLICT (table_id) DO UPDATE SET link = excluded.link, number = excluded.number, state = excluded.state
