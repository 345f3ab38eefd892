-- Every link and house jackpot.
SELECT id, kind FROM books.link ORDER BY id
