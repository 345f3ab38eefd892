-- Entries of a period, chain by chain.
SELECT link, number, previous, hash, booked_at, body, fact FROM books.entry
 WHERE booked_at >= %(since)s AND booked_at < %(until)s ORDER BY link, number
