-- The seats of a round whose award is confirmed.
SELECT coalesce(array_agg(seat), '{}') FROM books.award
 WHERE link = %s AND table_id = %s AND round = %s AND status IN ('confirmed', 'paid')
