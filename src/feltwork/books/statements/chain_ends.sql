-- Where the chain of every link ends.
SELECT link, number FROM books.chain_tail ORDER BY link
