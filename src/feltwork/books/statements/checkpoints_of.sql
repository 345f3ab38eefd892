-- What the accounts of a link were kept to hold at some entries.
SELECT number, balances FROM books.checkpoint WHERE link = %s
