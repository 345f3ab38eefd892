-- One version of a link.
SELECT body FROM books.version WHERE link = %s AND fingerprint = %s
