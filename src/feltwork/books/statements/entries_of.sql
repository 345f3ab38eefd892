-- The whole chain of a link.
SELECT number, previous, hash, at, kind, body, fact FROM books.entry WHERE link = %s ORDER BY number
