-- The rounds of the tables of a link, locked.
SELECT table_id, state FROM books.table_round WHERE link = %s ORDER BY table_id FOR UPDATE
