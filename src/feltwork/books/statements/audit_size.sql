-- How much there is to check in a period.
SELECT (SELECT count(DISTINCT link) FROM books.entry WHERE booked_at >= %(since)s AND booked_at < %(until)s),
       (SELECT count(*) FROM books.entry WHERE booked_at >= %(since)s AND booked_at < %(until)s),
       (SELECT count(*) FROM books.round WHERE booked_at >= %(since)s AND booked_at < %(until)s)
