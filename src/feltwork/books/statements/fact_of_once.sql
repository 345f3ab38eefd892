-- The fact of something that happened once.
SELECT entry.fact FROM books.once JOIN books.entry USING (link, number)
 WHERE once.link = %s AND once.what = %s AND once.name = %s
