-- Where a chain ends, and the state that is kept for it.
SELECT tail.number, tail.hash, standing.number, standing.version, standing.state
  FROM books.chain_tail AS tail JOIN books.standing AS standing USING (link) WHERE tail.link = %s
