-- A batch of rounds of a link, with its entry and the state after it.
SELECT books.book_rounds($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
