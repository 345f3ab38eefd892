-- The claims of a seat that nobody has settled.
SELECT id FROM books.award
 WHERE link = %s AND table_id = %s AND round = %s AND seat = %s AND status = 'claimed' ORDER BY place
