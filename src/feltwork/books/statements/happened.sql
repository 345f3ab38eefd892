-- What has happened already of the things that happen once.
SELECT what, name FROM books.once
 WHERE link = %(link)s
   AND ((what = 'misdeal' AND name = %(misdeal)s) OR (what = 'adjustment' AND name = %(adjustment)s))
