-- Every session of somebody is over, but the one that goes on; so is every sign-on at a table.
WITH at_tables AS (
  UPDATE books.sign_on SET ended_at = clock_timestamp() WHERE person = %(person)s AND ended_at IS NULL
)
UPDATE books.session SET ended_at = clock_timestamp()
 WHERE person = %(person)s AND ended_at IS NULL AND token_hash <> %(but)s
