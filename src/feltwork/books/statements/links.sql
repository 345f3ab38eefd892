-- Every link.
SELECT id, kind FROM books.link ORDER BY id
