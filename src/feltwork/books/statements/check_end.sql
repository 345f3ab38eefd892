-- The end of a chain: where it is kept, the last entry that is there, and the kept state's number.
SELECT tail.number, tail.hash, tail.uncovered, standing.number,
       coalesce((SELECT hash FROM books.entry WHERE entry.link = tail.link AND entry.number = tail.number),
                repeat('0', 64))
  FROM books.chain_tail AS tail JOIN books.standing USING (link) WHERE tail.link = %s
