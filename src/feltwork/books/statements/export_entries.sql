-- Entries of a period, chain by chain: all after the one at which it began, up to the one at which it ended.
SELECT entry.link, entry.number, previous, hash, booked_at, body, fact
  FROM books.entry
  JOIN unnest(%(links)s::text[], %(opened)s::bigint[], %(closed)s::bigint[]) AS asked (link, opened, closed)
    ON entry.link = asked.link AND entry.number > asked.opened AND entry.number <= asked.closed
 ORDER BY entry.link, entry.number
