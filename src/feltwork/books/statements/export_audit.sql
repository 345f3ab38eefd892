-- The audit log of a period.
SELECT id, booked_at, who, place, what, why, before, after FROM books.audit
 WHERE booked_at >= %(since)s AND booked_at < %(until)s ORDER BY id
