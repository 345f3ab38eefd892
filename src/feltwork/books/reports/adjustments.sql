-- Every change that people made, in order: who, when, before, after, reason, evidence [WA-08, WA-15].
SELECT * FROM books.adjustment
 WHERE booked_at >= %(since)s AND booked_at < %(until)s
 ORDER BY link, entry
