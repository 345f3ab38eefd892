-- name: access_reviews
-- Reviews of access: who went through everybody, when, and the list of users and their functions then [TR-03].
SELECT number, reviewed_at, reviewed_by, says, jsonb_array_length(people) AS users, people
  FROM books.access_review
 WHERE reviewed_at >= %(since)s AND reviewed_at < %(until)s
 ORDER BY number

-- name: adjustments
-- Every change that people made, in order: who, when, before, after, reason, evidence [WA-08, WA-15].
SELECT * FROM books.adjustment
 WHERE booked_at >= %(since)s AND booked_at < %(until)s
 ORDER BY link, entry

-- name: audit_log
-- Who asked for what, where, when and why [GL-08, GL-09].
SELECT id, booked_at, who, place, what, why, before, after FROM books.audit
 WHERE booked_at >= %(since)s AND booked_at < %(until)s ORDER BY id

-- name: counters
-- What each level shows on demand: its parameters, what it holds, and counters that nobody can set back
-- [GEN-02, GEN-13, GL-01].
SELECT link_state.link, level ->> 'name' AS level,
       coalesce((link_state.state #>> ARRAY['amounts', level ->> 'name'])::bigint, least(
         meter.amount + unmoved.amount,
         greatest(meter.amount, coalesce(nullif((link_state.state #>> ARRAY['caps', level ->> 'name'])::bigint, -1),
                                         9223372036854775807))), 0) AS current,
       coalesce(reserve.amount, 0) AS reserve,
       (level ->> 'seed')::bigint AS seed, (level ->> 'contribution')::integer AS contribution_basis_points,
       (level ->> 'reserve')::integer AS reserve_basis_points,
       nullif(coalesce((link_state.state #>> ARRAY['caps', level ->> 'name'])::bigint, -1), -1) AS cap,
       (counted ->> 'wagers')::bigint AS wagers, (counted ->> 'wagered')::bigint AS wagered,
       (counted ->> 'accrued')::bigint AS accrued, (counted ->> 'reserved')::bigint AS reserved,
       (counted ->> 'overflow')::bigint AS overflow, (counted ->> 'hits')::bigint AS hits,
       (counted ->> 'won')::bigint AS won, (counted ->> 'paid')::bigint AS paid,
       (counted ->> 'returned')::bigint AS returned, (counted ->> 'reversed')::bigint AS reversed
  FROM books.link_state
  JOIN books.version ON version.link = link_state.link AND version.fingerprint = link_state.version
  CROSS JOIN LATERAL jsonb_array_elements(version.body::jsonb -> 'levels') AS level
  CROSS JOIN LATERAL (SELECT link_state.state -> 'counters' -> (level ->> 'name') AS counted) AS kept
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(value::bigint), 0)::bigint AS amount
      FROM jsonb_each_text(link_state.state -> 'unmoved' -> (level ->> 'name'))) AS unmoved
  LEFT JOIN books.balance AS meter
    ON meter.link = link_state.link AND meter.account = 'meter/' || link_state.link || '/' || (level ->> 'name')
  LEFT JOIN books.balance AS reserve
    ON reserve.link = link_state.link AND reserve.account = 'reserve/' || link_state.link || '/' || (level ->> 'name')
 ORDER BY link_state.link, level ->> 'name'

-- name: daily_lines
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
    FROM facts JOIN books.link_state USING (link)
    JOIN rates USING (link)
   WHERE facts.kind = 'Misdealt' AND rates.fingerprint = link_state.version GROUP BY 1, 2
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

-- name: day_sheets
-- The gambling days that were closed: by whom, when, and what was explained [WA-25].
SELECT number, day::text, closed_at, closed_by,
       (SELECT count(*) FROM jsonb_array_elements(body::jsonb -> 'items') AS item
         WHERE item ->> 'explanation' <> '') AS explained,
       (SELECT coalesce(jsonb_object_agg(item ->> 'name', item -> 'explanation'), '{}')
          FROM jsonb_array_elements(body::jsonb -> 'items') AS item
         WHERE item ->> 'explanation' <> '') AS explanations,
       encode(sha256(convert_to(body, 'UTF8')), 'hex') AS hash
  FROM books.day_sheet
 WHERE closed_at >= %(since)s AND closed_at < %(until)s ORDER BY number

-- name: deposits
-- The weekly deposit report: for each link and week what was held for players when it began, what it grew by,
-- what the bank must hold at its end, and what the last count of the week found [WA-18].
WITH moved AS (
  SELECT entry.link, entry.booked_at, (posting -> 1)::bigint AS change
    FROM books.entry, jsonb_array_elements(body::jsonb -> 'postings') AS posting
   WHERE split_part(posting ->> 0, '/', 1) IN ('meter', 'reserve', 'pending', 'payable')
     AND entry.booked_at < %(until)s
), weeks AS (
  SELECT begins, ends FROM unnest(%(begins)s::timestamptz[], %(ends)s::timestamptz[]) AS week (begins, ends)
), held AS (
  SELECT weeks.begins, weeks.ends, moved.link,
         coalesce(sum(change) FILTER (WHERE moved.booked_at < weeks.begins), 0)::bigint AS opening,
         coalesce(sum(change) FILTER (WHERE moved.booked_at >= weeks.begins), 0)::bigint AS accrued,
         sum(change)::bigint AS required
    FROM weeks JOIN moved ON moved.booked_at < weeks.ends GROUP BY 1, 2, 3
)
SELECT held.begins AS week_begins, held.ends AS week_ends, held.link, held.opening, held.accrued, held.required,
       counted.booked_at AS counted_at, (counted.fact ->> 'bank_balance')::bigint AS bank_balance,
       ((counted.fact ->> 'bank_balance')::bigint - (counted.fact ->> 'required')::bigint) AS over_at_count,
       coalesce(((counted.fact ->> 'bank_balance')::bigint < (counted.fact ->> 'required')::bigint), true)
         AS deposit_due
  FROM held LEFT JOIN LATERAL (
    SELECT entry.booked_at, entry.fact::jsonb AS fact FROM books.entry
     WHERE entry.link = held.link AND kind = 'FundsCounted'
       AND entry.booked_at >= held.begins AND entry.booked_at < held.ends
     ORDER BY number DESC LIMIT 1) AS counted ON true
 ORDER BY 1, 3

-- name: first_entry
-- When the first entry of all links was booked.
SELECT min(booked_at) AS booked_at FROM books.entry

-- name: dispute
-- The record of one round in booking order, for a patron dispute.
SELECT booked_at, what, about FROM (
  SELECT booked_at, 'round booked' AS what,
         jsonb_build_object('link', link, 'entry', entry, 'started_at', started_at, 'wager', wager, 'seats', seats)
           AS about
    FROM books.round WHERE table_id = %(table)s AND number = %(round)s
  UNION ALL
  SELECT booked_at, kind, fact FROM books.table_fact WHERE table_id = %(table)s AND number = %(round)s
  UNION ALL
  SELECT entry.booked_at, entry.kind,
         entry.fact::jsonb || jsonb_build_object('entry', entry.number, 'hash', entry.hash)
    FROM books.award JOIN books.entry
      ON entry.link = award.link AND entry.body::jsonb -> 'references' ->> 'award' = award.id
     AND entry.kind <> 'Contributed'
   WHERE award.table_id = %(table)s AND award.round = %(round)s
  UNION ALL
  SELECT entry.booked_at, entry.kind,
         entry.fact::jsonb || jsonb_build_object('entry', entry.number, 'hash', entry.hash)
    FROM books.unique_event JOIN books.entry USING (link, number)
   WHERE unique_event.what = 'misdeal' AND unique_event.name = %(table)s || '/' || %(round)s
  UNION ALL
  SELECT entry.booked_at, entry.kind,
         entry.fact::jsonb || jsonb_build_object('entry', entry.number, 'hash', entry.hash)
    FROM books.correction JOIN books.entry
      ON entry.link = correction.link AND entry.number = correction.entry
   WHERE correction.table_id = %(table)s AND correction.number = %(round)s
  UNION ALL
  SELECT booked_at, 'round ended',
         jsonb_build_object('link', link, 'entry', entry, 'ended_at', ended_at, 'fixed', fixed, 'envy', envy)
    FROM books.round_end WHERE table_id = %(table)s AND number = %(round)s
  UNION ALL
  SELECT parked_at, 'round parked', jsonb_build_object('round', round, 'problem', problem)
    FROM books.parked WHERE table_id = %(table)s AND number = %(round)s
) AS told ORDER BY booked_at

-- name: drop_and_hold
-- Jackpot wagers by gambling day, table and link, and what the operator holds of them: less what goes to meters and
-- reserves, and what the house and the tray pay. Misdealt and corrected wagers are taken off [WA-25].
WITH versions AS (
  SELECT period.link, period.number AS first, period.next_number AS next,
         (version.body::jsonb ->> 'wager')::bigint AS wager,
         (SELECT sum((version.body::jsonb ->> 'wager')::bigint * (level ->> 'contribution')::bigint / 10000
                     + (version.body::jsonb ->> 'wager')::bigint * (level ->> 'reserve')::bigint / 10000)
            FROM jsonb_array_elements(version.body::jsonb -> 'levels') AS level) AS contributed
    FROM books.version_period AS period
    JOIN books.version ON version.link = period.link AND version.fingerprint = period.version
), days AS (
  -- When each gambling day begins; of two equal hours at the end of summer time, the first.
  SELECT day::date AS day, CASE WHEN (begins - interval '1 hour') AT TIME ZONE %(zone)s = starts_at
                                THEN begins - interval '1 hour' ELSE begins END AS begins
    FROM generate_series(greatest(%(since)s, timestamptz '2000-01-01')::date - 2,
                         least(%(until)s, now() + interval '1 day')::date + 1, interval '1 day') AS day,
         LATERAL (SELECT day::timestamp + make_interval(hours => %(hour)s) AS starts_at) AS local,
         LATERAL (SELECT starts_at AT TIME ZONE %(zone)s AS begins) AS instant
), grouped AS (
  -- Millions of rows a year: whatever is looked up is an array, so that PostgreSQL counts in parallel.
  SELECT width_bucket(booked_at, (SELECT array_agg(begins ORDER BY begins) FROM days)) AS place, table_id, link,
         width_bucket(entry, (SELECT array_agg(first ORDER BY first) FROM versions)) AS version,
         min(entry) AS entry, count(*) AS rounds, sum(cardinality(seats)) AS wagers
    FROM books.round WHERE booked_at >= %(since)s AND booked_at < %(until)s GROUP BY 1, 2, 3, 4
), dealt AS (
  SELECT (SELECT min(day) FROM days) + place - 1 AS day, table_id, link, entry, rounds, wagers FROM grouped
), facts AS (
  SELECT ((entry.booked_at AT TIME ZONE %(zone)s) - make_interval(hours => %(hour)s))::date AS day,
         entry.link, entry.number, entry.kind, entry.fact::jsonb AS fact
    FROM books.link JOIN books.entry ON entry.link = link.id
     AND entry.kind IN ('Misdealt', 'WagerAdded', 'WagerReturned', 'Confirmed', 'Reversed')
   WHERE entry.booked_at >= %(since)s AND entry.booked_at < %(until)s
), wagered AS (
  SELECT day, table_id, link, entry, rounds, wagers FROM dealt
  UNION ALL
  SELECT day, fact ->> 'table', link, number, 0,
         CASE kind WHEN 'WagerAdded' THEN 1 ELSE -coalesce((fact ->> 'wagers')::bigint, 1) END
    FROM facts WHERE kind NOT IN ('Confirmed', 'Reversed')
), moved AS (
  SELECT day, table_id, wagered.link, rounds, wagers, wagers * versions.wager AS dropped,
         wagers * versions.contributed AS contributed, 0 AS paid
    FROM wagered JOIN versions ON versions.link = wagered.link AND entry >= first AND entry < next
  UNION ALL
  SELECT facts.day, award.table_id, award.link, 0, 0, 0, 0,
         CASE facts.kind WHEN 'Confirmed' THEN (fact ->> 'from_house')::bigint ELSE -(fact ->> 'to_house')::bigint END
    FROM facts JOIN books.award ON award.link = facts.link AND award.id = fact ->> 'award'
   WHERE facts.kind IN ('Confirmed', 'Reversed')
  UNION ALL
  SELECT ((booked_at AT TIME ZONE %(zone)s) - make_interval(hours => %(hour)s))::date, table_id, link, 0, 0, 0, 0,
         sum(fixed + envy)
    FROM books.round_end WHERE booked_at >= %(since)s AND booked_at < %(until)s AND fixed + envy > 0 GROUP BY 1, 2, 3
)
SELECT day::text, table_id AS "table", link, sum(rounds)::bigint AS rounds, sum(wagers)::bigint AS wagers,
       sum(dropped)::bigint AS "drop", sum(contributed)::bigint AS contributed, sum(paid)::bigint AS paid,
       sum(dropped - contributed - paid)::bigint AS hold
  FROM moved GROUP BY 1, 2, 3 ORDER BY 1, 2, 3

-- name: events
-- Events by the database's clock, searched by date, device and code; without a device or a code, all of them [GL-08].
SELECT booked_at, link, device, code, about FROM (
  SELECT entry.booked_at, entry.link, coalesce(entry.fact::jsonb ->> 'table', '') AS device, entry.kind AS code,
         entry.fact::jsonb AS about
    FROM books.entry WHERE entry.booked_at >= %(since)s AND entry.booked_at < %(until)s
  UNION ALL
  SELECT booked_at, link, table_id, kind, fact
    FROM books.table_fact WHERE booked_at >= %(since)s AND booked_at < %(until)s
  UNION ALL
  SELECT booked_at, link, table_id, 'RoundBooked', jsonb_build_object('round', number, 'seats', seats)
    FROM books.round WHERE booked_at >= %(since)s AND booked_at < %(until)s
  UNION ALL
  SELECT parked_at, link, table_id, 'RoundParked', jsonb_build_object('round', number, 'problem', problem)
    FROM books.parked WHERE parked_at >= %(since)s AND parked_at < %(until)s
) AS told
 WHERE (%(table)s = '' OR device = %(table)s) AND (%(code)s = '' OR code = %(code)s)
 ORDER BY booked_at LIMIT 10000

-- name: funds
-- The required bank balance of each link, the growth since the last count, and its stops [WA-18].
SELECT link.id AS link,
       coalesce(sum(amount) FILTER (WHERE account ^@ 'meter/'), 0)::bigint AS displayed,
       coalesce(sum(amount) FILTER (WHERE account ^@ 'reserve/'), 0)::bigint AS not_displayed,
       coalesce(sum(amount) FILTER (WHERE account ^@ 'pending/'), 0)::bigint AS pending,
       coalesce(sum(amount) FILTER (WHERE account ^@ 'payable/'), 0)::bigint AS payable,
       coalesce(sum(amount), 0)::bigint AS required,
       (coalesce(sum(amount), 0) - (link_state.state ->> 'funds_at_count')::bigint)::bigint AS accrued_since_count,
       counted.at AS counted_at, (counted.fact ->> 'bank_balance')::bigint AS bank_balance,
       ((counted.fact ->> 'bank_balance')::bigint - (counted.fact ->> 'required')::bigint) AS over_at_count,
       coalesce((SELECT string_agg(cause, ', ') FROM jsonb_object_keys(link_state.state -> 'stops') AS cause), '')
         AS stopped_by
  FROM books.link
  JOIN books.link_state ON link_state.link = link.id
  LEFT JOIN books.balance ON balance.link = link.id
   AND split_part(account, '/', 1) IN ('meter', 'reserve', 'pending', 'payable')
  LEFT JOIN LATERAL (
    SELECT entry.booked_at AS at, entry.fact::jsonb AS fact FROM books.entry
     WHERE entry.link = link.id AND kind = 'FundsCounted' ORDER BY number DESC LIMIT 1) AS counted ON true
 GROUP BY link.id, link_state.state, counted.at, counted.fact
 ORDER BY link.id

-- name: gaps
-- Numbers that tables have left out: rounds that are still on their way, or lost [GL-12].
SELECT link, table_id AS "table", first, last, last - first + 1 AS rounds FROM books.gap ORDER BY link, table_id, first

-- name: hits
-- The last 25 hits of each link, the newest first [GEN-02].
SELECT * FROM (
  SELECT unique_event.link, unique_event.number AS entry, entry.booked_at, award.id AS award, award.level, award.hand,
         award.table_id AS "table", award.round, award.seat, award.from_meter + award.from_house AS amount,
         award.status, award.supervisor, award.executive,
         row_number() OVER (PARTITION BY unique_event.link ORDER BY unique_event.number DESC) AS place
    FROM books.unique_event
    JOIN books.award ON award.link = unique_event.link AND award.id = unique_event.name
    JOIN books.entry ON entry.link = unique_event.link AND entry.number = unique_event.number
   WHERE unique_event.what = 'settlement' AND unique_event.kind = 'Confirmed'
) AS ranked WHERE place <= 25 ORDER BY link, place

-- name: incidents
-- Malfunctions, with the deadline and time of the regulator's notification [WA-32].
SELECT incident.number, incident.link, incident.table_id AS "table", incident.what, incident.learned_at,
       incident.opened_by, incident.notify_by, notified.done_at AS notified_at, notified.done_by AS notified_by,
       notified.says AS notice, closed.done_at AS closed_at, closed.done_by AS closed_by, closed.says AS cause,
       coalesce(coalesce(notified.done_at, clock_timestamp()) > incident.notify_by, false) AS late
  FROM books.incident
  LEFT JOIN books.incident_step AS notified ON notified.incident = incident.number AND notified.step = 'notified'
  LEFT JOIN books.incident_step AS closed ON closed.incident = incident.number AND closed.step = 'closed'
 WHERE incident.learned_at >= %(since)s AND incident.learned_at < %(until)s
 ORDER BY incident.number

-- name: installations
-- Installations and live tests, the notice of each and how long before it was given [GEN-20].
SELECT installation.number, installation.what, installation.notified_at, installation.notice, installation.begins_at,
       extract(epoch FROM installation.begins_at - installation.notified_at)::bigint / 3600 AS hours_of_notice,
       installation.planned_by, installation.planned_at, ended.outcome, ended.says, ended.ended_by, ended.ended_at
  FROM books.installation LEFT JOIN books.installation_end AS ended ON ended.installation = installation.number
 WHERE installation.begins_at >= %(since)s AND installation.begins_at < %(until)s
 ORDER BY installation.number

-- name: meter_history
-- The meters of a link over time: some four hundred checkpoints of the period, and every hit with its amount.
WITH bounds AS (
  SELECT (SELECT number FROM books.entry WHERE link = %(link)s AND booked_at >= %(since)s AND booked_at < %(until)s
           ORDER BY number LIMIT 1) AS first,
         (SELECT number FROM books.entry WHERE link = %(link)s AND booked_at >= %(since)s AND booked_at < %(until)s
           ORDER BY number DESC LIMIT 1) AS last
), hits AS (
  SELECT unique_event.number, award.id, award.level, award.hand, award.from_meter + award.from_house AS amount
    FROM bounds
    JOIN books.unique_event ON unique_event.link = %(link)s AND unique_event.what = 'settlement'
     AND unique_event.kind = 'Confirmed' AND unique_event.number BETWEEN bounds.first AND bounds.last
    JOIN books.award ON award.link = unique_event.link AND award.id = unique_event.name
   WHERE %(level)s IN ('', award.level)
), marks AS (
  SELECT DISTINCT checkpoint.number, checkpoint.balances
    FROM bounds
    CROSS JOIN LATERAL (SELECT generate_series(first, last, greatest(1, (last - first) / 400)) AS number
                        UNION SELECT last UNION SELECT number FROM hits) AS wanted
    CROSS JOIN LATERAL (SELECT checkpoint.number, balances FROM books.checkpoint
                         WHERE link = %(link)s AND checkpoint.number <= wanted.number
                         ORDER BY checkpoint.number DESC LIMIT 1) AS checkpoint
)
SELECT entry.booked_at, split_part(account, '/', 3) AS level, amount::bigint AS meter, NULL::bigint AS hit,
       '' AS hand, '' AS award, %(link)s AS link
  FROM marks
  CROSS JOIN LATERAL jsonb_each_text(balances) AS kept (account, amount)
  JOIN books.entry ON entry.link = %(link)s AND entry.number = marks.number
 WHERE account ^@ ('meter/' || %(link)s || '/') AND %(level)s IN ('', split_part(account, '/', 3))
UNION ALL
SELECT entry.booked_at, hits.level, NULL, hits.amount, hits.hand, hits.id, %(link)s
  FROM hits JOIN books.entry ON entry.link = %(link)s AND entry.number = hits.number
 ORDER BY 1, 2

-- name: meter_sheet
-- The opening amount of a level and every change of it in a period, explained; contributions between two other
-- changes are one line, and a hit has lines of its own for award, seed and reserve. A house jackpot has the amounts that it posted [WA-08].
WITH moved AS (
  SELECT entry.number, entry.booked_at, entry.kind, (posting -> 1)::bigint AS change,
         CASE entry.kind WHEN 'Contributed' THEN NULL ELSE entry.fact::jsonb END AS fact
    FROM books.entry, jsonb_array_elements(body::jsonb -> 'postings') AS posting
   WHERE entry.link = %(link)s AND posting ->> 0 = %(pool)s || '/' || %(link)s || '/' || %(level)s
     AND entry.booked_at < %(until)s
  UNION ALL
  SELECT number, booked_at, kind, (fact::jsonb ->> 'after')::bigint - (fact::jsonb ->> 'before')::bigint, fact::jsonb
    FROM books.entry
   WHERE link = %(link)s AND kind = 'AmountSet' AND %(pool)s = 'meter' AND booked_at < %(until)s
     AND fact::jsonb ->> 'level' = %(level)s
), lines AS (
  SELECT *, count(*) FILTER (WHERE kind <> 'Contributed') OVER (ORDER BY number) AS island
    FROM moved WHERE booked_at >= %(since)s
), drawn AS (
  SELECT min(number) AS first_entry, max(number) AS last_entry, max(booked_at) AS booked_at, kind,
         sum(change)::bigint AS change, count(*) AS entries, (array_agg(fact))[1] AS fact
    FROM lines GROUP BY island, kind
), opening AS (
  SELECT coalesce(sum(change), 0)::bigint AS amount FROM moved WHERE booked_at < %(since)s
)
SELECT first_entry, last_entry, booked_at, what, change, after, explanation, people FROM (
  SELECT 0 AS first_entry, 0 AS last_entry, NULL::timestamptz AS booked_at, 'opening amount' AS what,
         NULL::bigint AS change, amount AS after, '' AS explanation, '' AS people, 0 AS place
    FROM opening
  UNION ALL
  SELECT first_entry, last_entry, booked_at, part.what, part.change,
         (opening.amount + sum(part.change) OVER (ORDER BY first_entry, part.place))::bigint,
         CASE kind WHEN 'Contributed' THEN entries || CASE entries WHEN 1 THEN ' batch of rounds' ELSE ' batches of rounds' END
              ELSE concat_ws('; ', 'award ' || (fact ->> 'award'), 'adjustment ' || (fact ->> 'adjustment'),
                             fact ->> 'reason', fact ->> 'text', fact ->> 'evidence',
                             'round ' || (fact ->> 'table') || '/' || (fact ->> 'round')) END,
         concat_ws(', ', fact ->> 'by', fact ->> 'approved_by', fact ->> 'supervisor', nullif(fact ->> 'executive', '')),
         part.place
    FROM drawn
    CROSS JOIN opening
    CROSS JOIN LATERAL (
      SELECT 1 AS place, kind AS what, drawn.change
       WHERE %(pool)s <> 'meter' OR kind NOT IN ('Locked', 'Released', 'Reversed')
      UNION ALL
      SELECT named.place, named.what, CASE kind WHEN 'Locked' THEN -named.amount ELSE named.amount END
        FROM (VALUES (1, CASE kind WHEN 'Locked' THEN 'award' ELSE 'award returned' END,
                      coalesce(fact ->> 'from_meter', fact ->> 'to_meter')::bigint),
                     (2, CASE kind WHEN 'Locked' THEN 'seed' ELSE 'seed returned' END, -(fact ->> 'seed')::bigint),
                     (3, CASE kind WHEN 'Locked' THEN 'reserve' ELSE 'reserve returned' END, -(fact ->> 'reserve')::bigint)
             ) AS named (place, what, amount)
       WHERE %(pool)s = 'meter' AND kind IN ('Locked', 'Released', 'Reversed') AND named.amount <> 0
    ) AS part
) AS sheet ORDER BY first_entry, place

-- name: month_end
-- Adjustments of a month above an amount that the jurisdiction names, the largest first [GEN-24].
SELECT * FROM books.adjustment
 WHERE booked_at >= %(since)s AND booked_at < %(until)s AND abs(change) > %(above)s
 ORDER BY abs(change) DESC, link, entry

-- name: payouts
-- Payout records: the win, who verified it, the payee, the form of payment, the check-list and the tax
-- record; what is not deducted from gross revenue says so [WA-24, GEN-25].
SELECT award.link, award.id AS award, award.table_id AS "table", award.round, award.seat, award.hand, payout.cards,
       payout.amount, award.status, award.claimed_by, award.supervisor, award.executive, payout.payee, payout.patron,
       payout.withheld, payout.flags, payout.flags @> '[{"name": "not_deducted"}]' AS not_deducted, payout.steps,
       (SELECT coalesce(jsonb_object_agg(step, jsonb_build_object('by', done_by, 'at', done_at, 'note', note)), '{}')
          FROM books.payout_step WHERE (link, award) = (payout.link, payout.award) AND record IN (0, payout.number)) AS done,
       payout.written_by, payout.written_at, coalesce(paid.fact::jsonb ->> 'form', '') AS form,
       coalesce(paid.fact::jsonb ->> 'by', '') AS paid_by, paid.booked_at AS paid_at
  FROM books.payout_record AS payout
  JOIN books.award ON award.link = payout.link AND award.id = payout.award
  LEFT JOIN books.unique_event
    ON unique_event.link = award.link AND unique_event.what = 'payment' AND unique_event.name = award.id
  LEFT JOIN books.entry AS paid ON paid.link = unique_event.link AND paid.number = unique_event.number
 WHERE payout.written_at >= %(since)s AND payout.written_at < %(until)s
 ORDER BY payout.written_at

-- name: periods
-- The periods of a link: each version that was in force with its rates, from the entry that began it, by whom, and
-- what was contributed under it; a changed rate begins a new one [GEN-04, GL-09].
SELECT begun.link, begun.number AS first_entry, begun.booked_at AS began_at, begun.ended_at,
       begun.version, coalesce(begun.fact ->> 'before', '') AS before,
       (SELECT jsonb_object_agg(level ->> 'name', jsonb_build_object('seed', level -> 'seed',
                                'contribution_basis_points', level -> 'contribution',
                                'reserve_basis_points', level -> 'reserve'))
          FROM jsonb_array_elements(version.body::jsonb -> 'levels') AS level) AS rates,
       begun.fact ->> 'by' AS asked_by, begun.fact ->> 'approved_by' AS approved_by,
       coalesce((SELECT sum((posting -> 1)::bigint)
                   FROM books.entry AS later, jsonb_array_elements(later.body::jsonb -> 'postings') AS posting
                  WHERE later.link = begun.link AND later.kind = 'Contributed'
                    AND later.number >= begun.number AND later.number < begun.next_number
                    AND split_part(posting ->> 0, '/', 1) IN ('meter', 'reserve')), 0)::bigint AS contributed
  FROM books.version_period AS begun
  JOIN books.version ON version.link = begun.link AND version.fingerprint = begun.version
 WHERE begun.booked_at < %(until)s AND coalesce(begun.ended_at, 'infinity') > %(since)s
 ORDER BY begun.link, begun.number

-- name: reconciliation
-- Player funds of each link from the opening to the closing of a period, by what changed them, beside the bank as
-- it was last counted as of a cutoff in the period; links with a difference come first. What the books hold beyond what their
-- entries explain must be nothing [WA-23, WA-06].
WITH moved AS (
  SELECT entry.link, entry.kind, entry.booked_at >= %(since)s AS since, entry.booked_at < %(until)s AS until,
         sum((posting -> 1)::bigint) AS change
    FROM books.entry, jsonb_array_elements(body::jsonb -> 'postings') AS posting
   WHERE split_part(posting ->> 0, '/', 1) IN ('meter', 'reserve', 'pending', 'payable')
   GROUP BY 1, 2, 3, 4
), held AS (
  SELECT link, sum(amount) AS amount FROM books.balance
   WHERE split_part(account, '/', 1) IN ('meter', 'reserve', 'pending', 'payable') GROUP BY link
), drawn AS (
  SELECT link, sum(change) AS everything,
         coalesce(sum(change) FILTER (WHERE NOT since), 0) AS opening,
         coalesce(sum(change) FILTER (WHERE kind = 'Opened' AND inside), 0) AS opened,
         coalesce(sum(change) FILTER (WHERE kind IN ('Contributed', 'WagerAdded', 'WagerReturned') AND inside), 0) AS contributed,
         coalesce(sum(change) FILTER (WHERE kind = 'Misdealt' AND inside), 0) AS misdealt,
         coalesce(sum(change) FILTER (WHERE kind IN ('Locked', 'Released') AND inside), 0) AS seeds_and_house,
         coalesce(sum(change) FILTER (WHERE kind IN ('Paid', 'Confiscated') AND inside), 0) AS paid,
         coalesce(sum(change) FILTER (WHERE kind = 'Reversed' AND inside), 0) AS reversed,
         coalesce(sum(change) FILTER (WHERE kind ^@ 'Adjusted.' AND inside), 0) AS adjusted,
         coalesce(sum(change) FILTER (WHERE kind IN ('Removed', 'Received') AND inside), 0) AS transferred,
         coalesce(sum(change) FILTER (WHERE until), 0) AS closing
    FROM (SELECT *, since AND until AS inside FROM moved) AS marked
   GROUP BY link
), bank AS (
  SELECT DISTINCT ON (counted.link) counted.link, counted.booked_at AS counted_at,
         (counted.fact::jsonb ->> 'bank_balance')::bigint AS balance,
         (counted.fact::jsonb ->> 'bank_balance')::bigint - (counted.fact::jsonb ->> 'required')::bigint AS difference
    FROM books.link
    JOIN books.entry AS counted ON counted.link = link.id AND counted.kind = 'FundsCounted'
    JOIN books.entry AS cutoff ON cutoff.link = counted.link
     AND cutoff.number = (counted.fact::jsonb ->> 'entry')::bigint
   WHERE counted.booked_at >= %(since)s
     AND (cutoff.booked_at >= %(since)s AND cutoff.booked_at < %(until)s
          OR cutoff.number = counted.number - 1 AND counted.booked_at < %(until)s)
   ORDER BY counted.link, counted.number DESC
)
SELECT link, opening::bigint, opened::bigint, contributed::bigint, misdealt::bigint, seeds_and_house::bigint,
       paid::bigint, reversed::bigint, adjusted::bigint, transferred::bigint, closing::bigint,
       (closing - opening - opened - contributed - misdealt - seeds_and_house - paid - reversed - adjusted
        - transferred)::bigint AS unexplained,
       (coalesce(held.amount, 0) - everything)::bigint AS difference,
       bank.counted_at AS bank_counted_at, bank.balance AS bank_balance, bank.difference AS bank_difference
  FROM drawn LEFT JOIN held USING (link) LEFT JOIN bank USING (link)
 ORDER BY abs(coalesce(held.amount, 0) - everything) + abs(coalesce(bank.difference, 0)) DESC, link

-- name: register
-- The register: what each level displayed when each day ended, one line a day [GEN-27].
WITH moved AS (
  SELECT entry.link, split_part(posting ->> 0, '/', 3) AS level, entry.booked_at, (posting -> 1)::bigint AS change
    FROM books.entry, jsonb_array_elements(body::jsonb -> 'postings') AS posting
   WHERE posting ->> 0 ^@ 'meter/' AND entry.booked_at < %(until)s
), days AS (
  SELECT begins, ends, row_number() OVER (ORDER BY begins) AS number
    FROM unnest(%(begins)s::timestamptz[], %(ends)s::timestamptz[]) AS day (begins, ends)
), changed AS (
  -- What changed on each day; day 0 is everything before the first one.
  SELECT link, level, width_bucket(booked_at, (SELECT array_agg(begins ORDER BY begins) FROM days)) AS number,
         sum(change) AS change
    FROM moved GROUP BY 1, 2, 3
), levels AS (
  SELECT link, level, min(number) AS first, sum(change) FILTER (WHERE number = 0) AS before FROM changed GROUP BY 1, 2
)
SELECT days.begins AS day_begins, days.ends AS day_ends, levels.link, levels.level,
       (coalesce(levels.before, 0) + sum(coalesce(changed.change, 0))
          OVER (PARTITION BY levels.link, levels.level ORDER BY days.number))::bigint AS displayed,
       coalesce(changed.change, 0)::bigint AS change
  FROM days JOIN levels ON levels.first <= days.number
  LEFT JOIN changed ON changed.link = levels.link AND changed.level = levels.level AND changed.number = days.number
 ORDER BY 1, 3, 4

-- name: confiscations
-- Awards of self-excluded patrons that two people confiscated, by reference and without names, each with its incident
-- [WA-35, WA-36].
SELECT entry.link, of.fact ->> 'award' AS award, entry.booked_at AS confiscated_at, (of.fact ->> 'amount')::bigint AS amount,
       of.fact ->> 'reason' AS reason, of.fact ->> 'by' AS by, of.fact ->> 'approved_by' AS approved_by,
       incident.number AS incident, incident.notify_by, told.done_at AS notified_at
  FROM books.entry
  CROSS JOIN LATERAL (SELECT entry.fact::jsonb AS fact) AS of
  LEFT JOIN books.incident ON incident.link = entry.link AND incident.what ^@ ('Award ' || (of.fact ->> 'award') || ' of ')
  LEFT JOIN books.incident_step AS told ON told.incident = incident.number AND told.step = 'notified'
 WHERE entry.kind = 'Confiscated' AND entry.booked_at >= %(since)s AND entry.booked_at < %(until)s
 ORDER BY entry.booked_at

-- name: win_page
-- One win for accounting: what was claimed, confirmed and paid, by whom, and what the meter held before and after
-- it left [LT-15, WA-24].
WITH steps AS (
  SELECT entry.number, entry.booked_at, entry.kind, entry.fact::jsonb AS fact, entry.body::jsonb AS body
    FROM books.entry
   WHERE entry.link = %(link)s AND entry.body::jsonb -> 'references' ->> 'award' = %(award)s
     AND entry.kind IN ('Claimed', 'CardsEntered', 'Locked', 'Released', 'SetAside', 'Confirmed', 'Voided', 'Paid', 'Confiscated',
                        'Reversed')
)
SELECT award.link, award.id AS award, award.table_id AS "table", award.round, award.seat, award.hand, award.level,
       award.status, award.from_meter, award.from_house, award.from_meter + award.from_house AS amount,
       award.seed AS restart_seed, award.reserve AS restart_reserve, award.claimed_by, award.supervisor,
       award.executive, steps.number AS entry, steps.booked_at, steps.kind AS step,
       coalesce(steps.fact ->> 'form', '') AS form,
       concat_ws(', ', steps.fact ->> 'by', steps.fact ->> 'supervisor', nullif(nullif(steps.fact ->> 'executive', ''),
         steps.fact ->> 'supervisor'), steps.fact ->> 'approved_by', nullif(steps.fact ->> 'witness', '')) AS person,
       books.balance_after(award.link, 'meter/' || award.link || '/' || award.level, steps.number - 1) AS meter_before,
       books.balance_after(award.link, 'meter/' || award.link || '/' || award.level, steps.number) AS meter_after
  FROM books.award JOIN steps ON true
 WHERE award.link = %(link)s AND award.id = %(award)s
 ORDER BY steps.number

-- name: dealer_training
-- The progress of each trainee in each course of the school.
SELECT person.name AS trainee, progress.person, course, exercises, answers, correct, in_a_row,
       last_answered_at, completed_at
  FROM books.training_progress AS progress JOIN books.person ON person.id = progress.person
 ORDER BY person.name, progress.person, course
