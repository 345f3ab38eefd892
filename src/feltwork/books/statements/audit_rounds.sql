-- Contributions of a period that do not post what the rounds in the books have wagered at the wager of the version.
WITH booked AS (
  SELECT link, entry AS number, wager, sum(cardinality(seats)) AS wagers
    FROM books.round WHERE booked_at >= %(since)s AND booked_at < %(until)s GROUP BY 1, 2, 3
), contributed AS MATERIALIZED (
  SELECT link, number, body::jsonb AS body FROM books.entry
   WHERE kind = 'Contributed' AND booked_at >= %(since)s AND booked_at < %(until)s
), priced AS MATERIALIZED (
  SELECT link, fingerprint, (body::jsonb ->> 'wager')::bigint AS wager FROM books.version
), told AS (
  SELECT contributed.link, number, wager,
         coalesce((SELECT -sum((posting -> 1)::bigint) FROM jsonb_array_elements(body -> 'postings') AS posting
                    WHERE posting ->> 0 ^@ 'patrons/'), 0) AS wagered
    FROM contributed JOIN priced
      ON priced.link = contributed.link AND priced.fingerprint = body -> 'references' ->> 'version'
)
SELECT DISTINCT coalesce(told.link, booked.link), coalesce(told.number, booked.number),
       'its rounds are not those that were contributed'
  FROM told FULL JOIN booked ON booked.link = told.link AND booked.number = told.number
 WHERE booked.wager IS DISTINCT FROM told.wager OR booked.wagers * booked.wager IS DISTINCT FROM told.wagered
