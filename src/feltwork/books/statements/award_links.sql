-- The links that know an award by this name.
SELECT link FROM books.award WHERE id = %s ORDER BY link
