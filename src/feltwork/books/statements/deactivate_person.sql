-- Somebody who left: no sign-in, and no session that goes on [TR-03].
WITH ended AS (UPDATE books.session SET ended_at = clock_timestamp() WHERE person = %(id)s AND ended_at IS NULL)
UPDATE books.person SET active = false WHERE id = %(id)s
