-- What the accounts of a link hold, those of tables together.
SELECT account, amount FROM books.balance WHERE link = %s
