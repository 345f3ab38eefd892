-- The right to answer a request: one transaction gets it, others with the same key wait for its end.
INSERT INTO books.idempotency (key, body_hash) VALUES (%s, %s) ON CONFLICT DO NOTHING
