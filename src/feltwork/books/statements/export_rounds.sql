-- Rounds that entries of a period booked. Their own time is that of their statement, a moment before the entry's.
SELECT round.link, entry, table_id, number, started_at, wager, seats
  FROM books.round
  JOIN unnest(%(links)s::text[], %(opened)s::bigint[], %(closed)s::bigint[]) AS asked (link, opened, closed)
    ON round.link = asked.link AND round.entry > asked.opened AND round.entry <= asked.closed
 WHERE booked_at >= %(since)s::timestamptz - interval '1 day' AND booked_at < %(until)s
 ORDER BY round.link, entry, table_id, number
