-- Entries of a link after a number, as they were booked.
SELECT number, at, kind, fact, hash FROM books.entry WHERE link = %s AND number > %s ORDER BY number LIMIT %s
