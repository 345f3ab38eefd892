-- The table, round and seat of awards.
SELECT table_id, round, seat FROM books.award WHERE link = %s AND id = ANY (%s)
