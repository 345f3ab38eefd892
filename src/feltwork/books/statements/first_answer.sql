-- What the first request under a key asked, and what it was answered.
SELECT body_hash, answer FROM books.idempotency WHERE key = %s
