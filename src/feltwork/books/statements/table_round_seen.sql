-- The round of a table, for those who only look.
SELECT link, state FROM books.table_round WHERE table_id = %s
