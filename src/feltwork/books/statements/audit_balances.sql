-- Links whose kept balances do not sum to nothing, or whose kept state is not that of the last entry.
SELECT tail.link, tail.number + 1, 'what is kept does not belong to the last entry'
  FROM books.chain_tail AS tail JOIN books.standing USING (link)
 WHERE standing.number <> tail.number OR tail.uncovered <> 0
    OR (SELECT coalesce(sum(amount), 0) FROM books.balance WHERE balance.link = tail.link) <> 0
