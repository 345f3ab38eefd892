-- A session that is over.
UPDATE books.session SET ended_at = clock_timestamp() WHERE token_hash = %s AND ended_at IS NULL
