-- name: award_links
-- The awards of the hand that an award was given for, with their links: itself first, then what the same hand won on
-- other jackpots of the layout.
SELECT other.link, other.id
  FROM books.award AS asked
  JOIN books.award AS other USING (table_id, round, seat)
 WHERE asked.id = %s AND (other.id = asked.id OR other.status IN ('claimed', 'confirmed', 'paid', 'confiscated'))
 GROUP BY 1, 2
 ORDER BY bool_or(other.id = asked.id) DESC, 1, 2

-- name: awards_named
-- Awards of a link by their names.
SELECT id, table_id, round, seat, hand, claimed_by, claimed_at, status, level, from_meter, from_house, seed,
       reserve, locked, lock_number, first_lock, meter_inflow, reserve_inflow, changed_by, restarts, supervisor, executive, paid_by, cards
  FROM books.award WHERE link = %s AND id = ANY (%s)

-- name: awards_open
-- The awards of every round with an open one, oldest first: a hit may have shares that are paid already.
SELECT link, id, table_id, round, seat, hand, claimed_by, claimed_at, status, level, from_meter, from_house, seed,
       reserve, locked, lock_number, first_lock, meter_inflow, reserve_inflow, changed_by, restarts, supervisor, executive, paid_by, cards
  FROM books.award
 WHERE (link, table_id, round) IN (
   SELECT link, table_id, round FROM books.award WHERE status IN ('claimed', 'confirmed')
 )
 ORDER BY claimed_at, link, id

-- name: awards_found
-- Confirmed awards by patron, table, amount and period, the newest first; with a seed, in the order of the hash of seed,
-- link and award, so that anyone draws the same sample from the same awards.
SELECT award.link, award.id AS award, confirmed.booked_at, award.table_id AS "table", award.round, award.seat, award.hand,
       award.level, award.from_meter + award.from_house AS amount, award.status, coalesce(payout.payee, '') AS payee,
       coalesce(payout.patron, '') AS patron
  FROM books.award
  JOIN books.unique_event AS settlement ON settlement.link = award.link AND settlement.what = 'settlement'
   AND settlement.name = award.id AND settlement.kind = 'Confirmed'
  JOIN books.entry AS confirmed ON confirmed.link = settlement.link AND confirmed.number = settlement.number
  LEFT JOIN books.payout_record AS payout ON payout.link = award.link AND payout.award = award.id
 WHERE confirmed.booked_at >= %(since)s AND confirmed.booked_at < %(until)s
   AND %(table)s IN ('', award.table_id)
   AND (%(amount)s::bigint IS NULL OR award.from_meter + award.from_house = %(amount)s)
   AND (%(patron)s = '' OR strpos(lower(payout.payee || ' ' || payout.patron), lower(%(patron)s)) > 0)
 ORDER BY CASE WHEN %(seed)s <> '' THEN
            encode(sha256(convert_to(%(seed)s || '/' || award.link || '/' || award.id, 'UTF8')), 'hex') END,
          confirmed.booked_at DESC, award.link, award.id
 LIMIT %(limit)s

-- name: cage_awards
-- Confirmed awards that have left their meter and wait for the money, the longest first, then those paid in a period, the last first; or one award.
WITH shown AS (
  SELECT link, id FROM books.award JOIN books.link_state USING (link)
   WHERE status = 'confirmed' AND state #> ARRAY['unmoved', level, id] IS NULL
  UNION
  SELECT link, fact::jsonb ->> 'award' FROM books.entry
   WHERE kind IN ('Paid', 'Confiscated') AND booked_at >= %(since)s AND booked_at < %(until)s
  UNION
  SELECT %(link)s::text, %(award)s::text
)
SELECT award.link, award.id, award.table_id AS "table", award.round, award.seat, award.hand, award.level, award.cards,
       award.from_meter + award.from_house AS amount, award.status, award.claimed_by, award.supervisor,
       award.executive, coalesce(paid.fact::jsonb ->> 'witness', '') AS witness,
       coalesce((SELECT entry.fact::jsonb ->> 'by' FROM books.unique_event AS entered JOIN books.entry USING (link, number)
                  WHERE entered.link = award.link AND entered.what = 'cards' AND entered.name = award.id),
                CASE WHEN award.cards <> '' THEN award.claimed_by END, payout.written_by, '') AS cards_by,
       coalesce(paid.number, confirmed.number) AS entry, confirmed.booked_at AS confirmed_at, paid.booked_at AS paid_at,
       coalesce(paid.fact::jsonb ->> 'form', '') AS form, coalesce(paid.fact::jsonb ->> 'by', '') AS paid_by,
       coalesce(payout.payee, '') AS payee, coalesce(payout.patron, '') AS patron
  FROM shown
  JOIN books.award USING (link, id)
  JOIN books.unique_event AS settlement ON settlement.link = award.link
  JOIN books.entry AS confirmed ON confirmed.link = settlement.link AND confirmed.number = settlement.number
  LEFT JOIN books.unique_event AS payment
    ON payment.link = award.link AND payment.what = 'payment' AND payment.name = award.id
  LEFT JOIN books.entry AS paid ON paid.link = payment.link AND paid.number = payment.number
  LEFT JOIN books.payout_record AS payout ON payout.link = award.link AND payout.award = award.id
 WHERE settlement.what = 'settlement' AND settlement.name = award.id AND award.status IN ('confirmed', 'paid', 'confiscated')
   AND (%(award)s::text = '' OR (award.link, award.id) = (%(link)s::text, %(award)s::text))
 ORDER BY paid_at DESC NULLS FIRST, confirmed_at, award.link, award.id

-- name: cash_payments
-- Cash payments in a period by payee, less withholding; an award without a record is listed alone.
SELECT paid.link, unique_event.name AS award, coalesce(payout.payee, 'award ' || unique_event.name) AS payee,
       coalesce(payout.patron, '') AS patron,
       (paid.fact::jsonb ->> 'amount')::bigint - coalesce(payout.withheld, 0) AS amount,
       paid.booked_at AS paid_at, paid.fact::jsonb ->> 'by' AS paid_by
  FROM books.unique_event
  JOIN books.entry AS paid ON paid.link = unique_event.link AND paid.number = unique_event.number
  LEFT JOIN books.payout_record AS payout ON payout.link = unique_event.link AND payout.award = unique_event.name
 WHERE unique_event.what = 'payment' AND paid.fact::jsonb ->> 'form' = 'cash'
   AND paid.booked_at >= %(since)s AND paid.booked_at < %(until)s
 ORDER BY paid.booked_at, paid.link, paid.number

-- name: count_drawer
-- Write a count of a cashier's drawer.
INSERT INTO books.drawer_count (person, step, opening, paid, counted)
VALUES (%(person)s, %(step)s, %(opening)s, %(paid)s, %(counted)s)

-- name: last_drawer_count
-- The last count of a cashier's drawer.
SELECT step, opening, paid, counted, counted_at FROM books.drawer_count WHERE person = %s ORDER BY number DESC LIMIT 1

-- name: lock_drawer
-- One count of a drawer at a time.
SELECT pg_advisory_xact_lock(hashtextextended('drawer/' || %s, 0))

-- name: fact_of_unique_event
-- The fact of a unique event.
SELECT entry.fact FROM books.unique_event JOIN books.entry USING (link, number)
 WHERE unique_event.link = %s AND unique_event.what = %s AND unique_event.name = %s

-- name: last_meter_decrease
-- The last fact after which a meter may show less, among the newest entries.
SELECT entry.number, entry.kind
  FROM books.entry JOIN books.chain_tail AS tail USING (link)
 WHERE entry.link = %(link)s AND entry.number > tail.number - 200
   AND entry.kind IN ('Locked', 'Confirmed', 'MeterMoved', 'Released', 'Misdealt', 'WagerReturned', 'Adjusted', 'Reversed', 'CapSet',
                      'Removed', 'Stopped')
 ORDER BY entry.number DESC LIMIT 1

-- name: meter_since
-- How a meter came to its amount before an entry: from its opening or last true reset, by what changed it. A partial award
-- resets nothing, and a reset that was undone is none. What no other entry explains are contributions.
WITH undone AS MATERIALIZED (
  SELECT number, fact::jsonb ->> 'award' AS award FROM books.entry
   WHERE link = %(link)s AND number < %(entry)s AND kind IN ('Released', 'Reversed')
), began AS (
  SELECT number, booked_at, kind FROM books.entry
   WHERE link = %(link)s AND number < %(entry)s
     AND (kind = 'Opened'
          OR kind = 'Locked' AND fact::jsonb ->> 'level' = %(level)s AND (fact::jsonb ->> 'restarts')::boolean
          AND NOT EXISTS (SELECT FROM undone
                           WHERE undone.number > entry.number AND undone.award = entry.fact::jsonb ->> 'award'))
   ORDER BY number DESC LIMIT 1
), ends AS (
  SELECT books.balance_after(%(link)s, 'meter/' || %(link)s || '/' || %(level)s, began.number) AS began_with,
         books.balance_after(%(link)s, 'meter/' || %(link)s || '/' || %(level)s, %(entry)s - 1) AS grew_to
    FROM began
), changed AS (
  SELECT entry.kind, sum((posting -> 1)::bigint) AS change
    FROM began
    JOIN books.entry ON entry.link = %(link)s AND entry.number > began.number AND entry.number < %(entry)s
     AND entry.kind <> 'Contributed'
    CROSS JOIN LATERAL jsonb_array_elements(entry.body::jsonb -> 'postings') AS posting
   WHERE posting ->> 0 = 'meter/' || %(link)s || '/' || %(level)s
   GROUP BY 1
)
SELECT what, entry, booked_at, amount FROM (
  SELECT 1 AS place, CASE kind WHEN 'Opened' THEN 'opened with' ELSE 'reset to' END AS what, began.number AS entry,
         began.booked_at, ends.began_with AS amount
    FROM began, ends
  UNION ALL
  SELECT 2, 'contributed', NULL, NULL, grew_to - began_with - coalesce((SELECT sum(change) FROM changed), 0)::bigint FROM ends
  UNION ALL
  SELECT 3, kind, NULL, NULL, change::bigint FROM changed
  UNION ALL
  SELECT 4, 'the meter before the award', %(entry)s - 1, NULL, grew_to FROM ends
) AS built ORDER BY place, what

-- name: payout
-- The last payout record of an award, with its completed checklist steps.
SELECT number, cards, payee, patron, identity, steps, flags, withheld, written_by, written_at, address, taxpayer, entitled,
       (SELECT coalesce(jsonb_object_agg(step, jsonb_build_object('by', done_by, 'at', done_at, 'note', note,
                                                                   'found', found)), '{}')
          FROM books.payout_step
         WHERE (link, award) = (payout.link, payout.award) AND record IN (0, payout.number)) AS done
  FROM books.payout WHERE link = %s AND award = %s ORDER BY number DESC LIMIT 1

-- name: complete_payout_step
-- Record a completed checklist step.
INSERT INTO books.payout_step (link, award, step, note, done_by, found, record) VALUES (%s, %s, %s, %s, %s, %s, %s)
ON CONFLICT DO NOTHING

-- name: replace_exclusion_list
-- Put a self-exclusion list in the place of the one before.
WITH before AS (DELETE FROM books.exclusion_list)
INSERT INTO books.exclusion_list (imported_by, marks) VALUES (%s, %s)

-- name: exclusion_list
-- When the self-exclusion list was imported, by whom, and the marks that begin with one.
SELECT imported_at, imported_by, ARRAY(SELECT mark FROM unnest(marks) AS mark WHERE mark ^@ %s) AS marks
  FROM books.exclusion_list

-- name: version_of_award
-- The version under which the round of an award was booked, the entry that booked it, and its locked seats.
SELECT version.body, version.fingerprint, round.entry,
       books.locked_seats(round.link, round.table_id, round.number, round.seats)
  FROM books.award
  JOIN books.round ON round.link = award.link AND round.table_id = award.table_id AND round.number = award.round
  JOIN books.entry ON entry.link = round.link AND entry.number = round.entry
  JOIN books.version ON version.link = round.link AND version.fingerprint = entry.fact::jsonb ->> 'version'
 WHERE award.link = %s AND award.id = %s

-- name: recent_wins
-- Recent hits with a fixed amount, newest first, with the time of their confirmation.
SELECT award.id, table_id, round, seat, hand, claimed_by, claimed_at, status, level, from_meter, from_house, seed, reserve,
       locked, lock_number, first_lock, meter_inflow, reserve_inflow, changed_by, restarts, supervisor, executive, paid_by, cards,
       (extract(epoch FROM confirmed.booked_at) * 1000000)::bigint AS confirmed_at
  FROM books.award
  LEFT JOIN books.unique_event AS settlement
    ON settlement.link = award.link AND settlement.what = 'settlement' AND settlement.name = award.id
  LEFT JOIN books.entry AS confirmed ON confirmed.link = settlement.link AND confirmed.number = settlement.number
 WHERE award.link = %s AND locked AND status IN ('claimed', 'confirmed', 'paid', 'confiscated')
 ORDER BY place DESC LIMIT 24

-- name: write_payout
-- Write the payout record of an award.
INSERT INTO books.payout (link, award, amount, cards, payee, patron, identity, steps, flags, withheld, written_by, address,
                          taxpayer, entitled)
VALUES (%(link)s, %(award)s, %(amount)s, %(cards)s, %(payee)s, %(patron)s, %(identity)s, %(steps)s, %(flags)s, %(withheld)s,
        %(by)s, %(address)s, %(taxpayer)s, %(entitled)s)

-- name: wins_since
-- Awards of a link that were confirmed since a moment and not reversed, newest first.
SELECT award.id, table_id, round, seat, hand, claimed_by, claimed_at, status, level, from_meter, from_house, seed, reserve,
       locked, lock_number, first_lock, meter_inflow, reserve_inflow, changed_by, restarts, supervisor, executive, paid_by, cards,
       (extract(epoch FROM confirmed.booked_at) * 1000000)::bigint AS confirmed_at
  FROM books.entry AS confirmed
  JOIN books.award ON award.link = confirmed.link AND award.id = confirmed.fact::jsonb ->> 'award'
 WHERE confirmed.link = %s AND confirmed.kind = 'Confirmed' AND confirmed.booked_at >= %s
   AND award.status IN ('confirmed', 'paid', 'confiscated')
 ORDER BY confirmed.number DESC

-- name: awards_of_round
-- The awards of a round in the order of their claims.
SELECT id, table_id, round, seat, hand, claimed_by, claimed_at, status, level, from_meter, from_house, seed,
       reserve, locked, lock_number, first_lock, meter_inflow, reserve_inflow, changed_by, restarts, supervisor, executive,
       paid_by, cards
  FROM books.award WHERE link = %s AND table_id = %s AND round = %s ORDER BY place
