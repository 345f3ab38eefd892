-- Every session of somebody is over, but the one that goes on.
UPDATE books.session SET ended_at = clock_timestamp()
 WHERE person = %(person)s AND ended_at IS NULL AND token_hash <> %(but)s
