-- The round of a table, locked until the transaction ends.
SELECT link, state FROM books.table_round WHERE table_id = %s FOR UPDATE
