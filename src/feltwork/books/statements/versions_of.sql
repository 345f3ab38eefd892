-- Every version of a link.
SELECT fingerprint, body FROM books.version WHERE link = %s ORDER BY registered_at
