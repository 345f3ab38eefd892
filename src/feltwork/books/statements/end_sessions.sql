-- Every session of somebody is over.
UPDATE books.session SET ended_at = clock_timestamp() WHERE person = %s AND ended_at IS NULL
