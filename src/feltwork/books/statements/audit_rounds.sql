-- Contributions of a period whose wagers are not those of the rounds in the books.
WITH booked AS (
  SELECT link, entry AS number, sum(cardinality(seats)) AS wagers, sum(cardinality(seats) * wager) AS wagered
    FROM books.round WHERE booked_at >= %(since)s AND booked_at < %(until)s GROUP BY 1, 2
), told AS (
  SELECT link, number, (fact::jsonb ->> 'wager')::bigint AS wager,
         (SELECT coalesce(sum(value::bigint), 0) FROM jsonb_each_text(fact::jsonb -> 'wagers')) AS wagers
    FROM books.entry
   WHERE kind = 'Contributed' AND booked_at >= %(since)s AND booked_at < %(until)s
)
SELECT coalesce(told.link, booked.link), coalesce(told.number, booked.number),
       'its rounds are not those that were contributed'
  FROM told FULL JOIN booked ON booked.link = told.link AND booked.number = told.number
 WHERE booked.wagers IS DISTINCT FROM told.wagers OR booked.wagered IS DISTINCT FROM told.wagers * told.wager
