-- Who asked for what, where, when and why [GL-08, GL-09].
SELECT id, booked_at, who, place, what, why, before, after FROM books.audit
 WHERE booked_at >= %(since)s AND booked_at < %(until)s ORDER BY id
