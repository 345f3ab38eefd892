-- An alarm whose cause is gone.
UPDATE books.alarm SET cleared_at = clock_timestamp(), cleared_by = %s
 WHERE kind = %s AND place = %s AND cleared_at IS NULL
RETURNING told
