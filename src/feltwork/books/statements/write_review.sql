-- Somebody has gone through everybody who has access.
INSERT INTO books.access_review (people, says, reviewed_by) VALUES (%s, %s, %s) RETURNING number
