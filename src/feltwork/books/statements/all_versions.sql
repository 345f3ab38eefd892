-- Every version of every link.
SELECT link, fingerprint, body FROM books.version ORDER BY link, registered_at
