-- The table, round and seat of claims that nobody has settled.
SELECT table_id, round, seat FROM books.award WHERE link = %s AND id = ANY (%s) AND status = 'claimed'
