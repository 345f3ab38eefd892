-- The reviews of access, the newest first.
SELECT number, people, says, reviewed_by, reviewed_at FROM books.access_review ORDER BY number DESC LIMIT 500
