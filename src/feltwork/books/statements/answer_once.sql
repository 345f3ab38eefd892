-- The answer, kept with what it answers.
UPDATE books.idempotency SET answer = %s WHERE key = %s
