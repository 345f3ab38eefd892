-- The floor that was registered last, word for word.
SELECT body FROM books.floor ORDER BY number DESC LIMIT 1
