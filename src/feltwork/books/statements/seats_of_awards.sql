-- The seats of claims of a round.
SELECT seat FROM books.award
 WHERE link = %s AND table_id = %s AND round = %s AND id = ANY (%s) ORDER BY place
