-- The last entry of a link that was told.
SELECT number FROM books.news WHERE link = %s
