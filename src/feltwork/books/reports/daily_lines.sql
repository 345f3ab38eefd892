-- The line of the master games report for each table and jackpot: wagers, accrual by pool, awards from the meter
-- and from the tray. House jackpots accrue nothing: all of their wagers go to the house, and it pays their awards
-- [WA-25].
WITH rates AS (
  SELECT version.link, version.fingerprint, version.body::jsonb ->> 'jackpot' AS jackpot,
         (version.body::jsonb ->> 'wager')::bigint AS wager,
         sum((version.body::jsonb ->> 'wager')::bigint * (level ->> 'contribution')::bigint / 10000) AS to_meters,
         sum((version.body::jsonb ->> 'wager')::bigint * (level ->> 'reserve')::bigint / 10000) AS to_reserves
    FROM books.version, jsonb_array_elements(version.body::jsonb -> 'levels') AS level
   GROUP BY 1, 2, 3, 4
), played AS (
  SELECT round.table_id, round.link, entry.fact::jsonb ->> 'version' AS version, count(*) AS rounds,
         sum(cardinality(round.seats)) AS wagers
    FROM books.round JOIN books.entry ON entry.link = round.link AND entry.number = round.entry
   WHERE round.booked_at >= %(since)s AND round.booked_at < %(until)s
     AND entry.booked_at >= %(since)s::timestamptz - interval '1 hour' AND entry.booked_at < %(until)s
   GROUP BY 1, 2, 3
  UNION ALL
  SELECT correction.table_id, correction.link, entry.fact::jsonb ->> 'version', 0,
         CASE WHEN correction.wagered THEN 1 ELSE -1 END
    FROM books.correction JOIN books.entry ON entry.link = correction.link AND entry.number = correction.entry
   WHERE correction.booked_at >= %(since)s AND correction.booked_at < %(until)s
), lines AS (
  SELECT played.table_id, played.link, rates.jackpot, sum(rounds) AS rounds, sum(wagers) AS wagers,
         sum(wagers * rates.wager) AS wagered, sum(wagers * rates.to_meters) AS to_meters,
         sum(wagers * rates.to_reserves) AS to_reserves
    FROM played JOIN rates ON rates.link = played.link AND rates.fingerprint = played.version
   GROUP BY 1, 2, 3
), facts AS (
  SELECT link, kind, fact::jsonb AS fact FROM books.entry
   WHERE booked_at >= %(since)s AND booked_at < %(until)s AND kind IN ('Misdealt', 'Confirmed', 'Reversed')
), returned AS (
  SELECT fact ->> 'table' AS table_id, link, count(*) AS misdeals,
         sum((fact ->> 'wagers')::bigint * rates.wager) AS returned
    FROM facts JOIN books.standing USING (link)
    JOIN rates USING (link) WHERE facts.kind = 'Misdealt' AND rates.fingerprint = standing.version GROUP BY 1, 2
), won AS (
  SELECT award.table_id, award.link, sum((fact ->> 'from_meter')::bigint) AS from_meter,
         sum((fact ->> 'from_house')::bigint) AS from_house
    FROM facts JOIN books.award ON award.link = facts.link AND award.id = fact ->> 'award'
   WHERE facts.kind = 'Confirmed' GROUP BY 1, 2
), reversed AS (
  SELECT fact ->> 'table' AS table_id, link,
         sum((fact ->> 'to_meter')::bigint + (fact ->> 'to_house')::bigint) AS reversed
    FROM facts WHERE kind = 'Reversed' GROUP BY 1, 2
), tray AS (
  SELECT table_id, link, sum(fixed) AS fixed, sum(envy) AS envy FROM books.round_end
   WHERE booked_at >= %(since)s AND booked_at < %(until)s GROUP BY 1, 2
)
SELECT table_id, link, named.jackpot,
       coalesce(rounds, 0)::bigint AS rounds, coalesce(wagers, 0)::bigint AS wagers,
       coalesce(wagered, 0)::bigint AS wagered, coalesce(to_meters, 0)::bigint AS to_meters,
       coalesce(to_reserves, 0)::bigint AS to_reserves,
       coalesce(wagered - to_meters - to_reserves, 0)::bigint AS to_house,
       coalesce(misdeals, 0)::bigint AS misdeals, coalesce(returned, 0)::bigint AS returned,
       coalesce(from_meter, 0)::bigint AS awards_from_meter, coalesce(from_house, 0)::bigint AS awards_from_house,
       coalesce(reversed, 0)::bigint AS awards_reversed,
       coalesce(fixed, 0)::bigint AS fixed_from_tray, coalesce(envy, 0)::bigint AS envy_from_tray
  FROM lines FULL JOIN won USING (table_id, link) FULL JOIN tray USING (table_id, link)
  FULL JOIN returned USING (table_id, link) FULL JOIN reversed USING (table_id, link)
  LEFT JOIN (SELECT link, min(jackpot) AS jackpot FROM rates GROUP BY 1) AS named USING (link)
 ORDER BY table_id, link
