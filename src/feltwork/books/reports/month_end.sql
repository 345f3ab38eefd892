-- Adjustments of a month above an amount that the jurisdiction names, the largest first [GEN-24].
SELECT * FROM books.adjustment
 WHERE booked_at >= %(since)s AND booked_at < %(until)s AND abs(change) > %(above)s
 ORDER BY abs(change) DESC, link, entry
