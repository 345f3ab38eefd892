-- One entry at the end of its chain; the database reads the columns off the body.
INSERT INTO books.entry (body, fact) VALUES (%s, %s)
