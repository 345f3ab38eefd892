-- Something that a table said.
INSERT INTO books.table_fact (link, table_id, number, at, kind, fact) VALUES (%s, %s, %s, %s, %s, %s)
