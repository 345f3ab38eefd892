-- Rounds that entries of a period booked.
SELECT link, entry, table_id, number, started_at, wager, seats FROM books.round
 WHERE booked_at >= %(since)s AND booked_at < %(until)s ORDER BY link, entry, table_id, number
