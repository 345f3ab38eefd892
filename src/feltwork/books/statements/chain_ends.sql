-- Where the chain of every progressive link ends.
SELECT tail.link, tail.number FROM books.chain_tail AS tail
  JOIN books.link ON link.id = tail.link AND link.kind = 'progressive' ORDER BY tail.link
