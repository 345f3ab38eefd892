-- name: added_seat
-- The last correction of a seat in a round, if it added the seat.
SELECT seat, coalesce(person.name, fact ->> 'by') AS by,
       coalesce(approver.name, fact ->> 'approved_by', '') AS approved_by, at
  FROM (SELECT seat, wagered, entry.fact::jsonb AS fact, entry.at
          FROM books.correction JOIN books.entry ON entry.link = correction.link AND entry.number = correction.entry
         WHERE correction.link = %s AND correction.table_id = %s AND correction.number = %s AND seat = %s
         ORDER BY correction.entry DESC LIMIT 1) AS corrected
  LEFT JOIN books.person ON person.id = fact ->> 'by'
  LEFT JOIN books.person AS approver ON approver.id = fact ->> 'approved_by'
 WHERE wagered

-- name: book_ends
-- Ends of rounds of one batch.
INSERT INTO books.round_end (table_id, number, link, ended_at, fixed, envy, entry)
SELECT one.table_id, one.number, %(link)s, one.ended_at, one.fixed, one.envy, %(entry)s
  FROM unnest(%(tables)s::text[], %(numbers)s::bigint[], %(times)s::bigint[], %(fixed)s::bigint[],
              %(envy)s::bigint[]) AS one (table_id, number, ended_at, fixed, envy)

-- name: book_rounds
-- A batch of rounds of a link with its entry, the ends of those that are over with theirs, and the state after it.
SELECT books.book_rounds($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)

-- name: ends_booked
-- Those of some rounds whose end is booked.
SELECT asked.table_id, asked.number
  FROM unnest(%s::text[], %s::bigint[]) AS asked (table_id, number)
  JOIN books.booked_round_ends AS had ON had.link = %s AND had.table_id = asked.table_id AND had.booked @> asked.number

-- name: recent_decisions
-- Corrected seats, voided claims and misdeals of the last hour, newest first. A claim that the dealer cleared is not
-- listed. Each link is looked up by kind: its entries are many.
WITH decided AS (
  SELECT 'corrected' AS kind, correction.link, table_id, correction.number, ARRAY[seat] AS seats, wagered, '' AS hand,
         '' AS reason, entry.fact::jsonb ->> 'by' AS by, entry.at
    FROM books.correction JOIN books.entry ON entry.link = correction.link AND entry.number = correction.entry
   WHERE correction.booked_at > statement_timestamp() - interval '1 hour'
  UNION ALL
  SELECT 'voided', link.id, award.table_id, award.round, array_agg(award.seat ORDER BY award.seat), false, award.hand,
         min(entry.fact ->> 'reason'), min(entry.fact ->> 'by'), min(entry.at)
    FROM books.link, LATERAL (
           SELECT entry.fact::jsonb AS fact, at FROM books.entry
            WHERE entry.link = link.id AND kind = 'Voided' AND booked_at > statement_timestamp() - interval '1 hour'
            ORDER BY number DESC LIMIT 40) AS entry
    JOIN books.award ON award.id = entry.fact ->> 'award'
   WHERE award.link = link.id AND entry.fact ->> 'reason' <> 'cleared'
   GROUP BY link.id, award.table_id, award.round, award.hand, entry.fact ->> 'by', entry.fact ->> 'reason'
  UNION ALL
  SELECT 'misdealt', link.id, entry.fact ->> 'table', (entry.fact ->> 'round')::bigint, '{}', false, '',
         coalesce((SELECT said.fact ->> 'reason' FROM books.table_fact AS said
                    WHERE said.link = link.id AND said.table_id = entry.fact ->> 'table'
                      AND said.number = (entry.fact ->> 'round')::bigint AND said.kind = 'RoundVoided' LIMIT 1), ''),
         entry.fact ->> 'by', entry.at
    FROM books.link, LATERAL (
           SELECT entry.fact::jsonb AS fact, at FROM books.entry
            WHERE entry.link = link.id AND booked_at > statement_timestamp() - interval '1 hour'
              AND kind = 'Misdealt'
            ORDER BY number DESC LIMIT 20) AS entry
)
SELECT decided.kind, link, table_id AS "table", number AS round, seats, wagered, hand, reason,
       coalesce(person.name, by) AS by, at
  FROM decided LEFT JOIN books.person ON person.id = by
 ORDER BY at DESC LIMIT 20

-- name: last_round
-- The last booked or parked round of a table, on any of its links or on one.
SELECT greatest((SELECT max(upper(booked)) - 1 FROM books.booked_rounds
                  WHERE table_id = %(table)s AND link = coalesce(%(link)s, link)),
                (SELECT max(number) FROM books.parked
                  WHERE table_id = %(table)s AND link = coalesce(%(link)s, link)), 0)

-- name: last_rounds
-- The last round that each table has told of on each of its links: its number, and of one that began within the last
-- ten minutes also whether it runs still or has only just ended, and its seats. Screens show it of tables that speak
-- over the wire; nobody waits for it.
SELECT booked_rounds.link, booked_rounds.table_id, upper(booked_rounds.booked) - 1, round.number IS NOT NULL,
       round.number IS NOT NULL AND (round.is_fresh OR NOT coalesce(booked_round_ends.booked @> round.number, false)),
       coalesce(books.locked_seats(booked_rounds.link, booked_rounds.table_id, round.number, round.seats), '{}')
  FROM books.booked_rounds
  LEFT JOIN books.booked_round_ends USING (table_id, link)
  LEFT JOIN LATERAL (
    SELECT number, seats,
           started_at > (extract(epoch FROM statement_timestamp()) - 60) * 1000000 AS is_fresh
      FROM books.round
     WHERE round.link = booked_rounds.link AND round.table_id = booked_rounds.table_id
       AND round.number = upper(booked_rounds.booked) - 1
       AND booked_at > statement_timestamp() - interval '10 minutes'
       AND started_at > (extract(epoch FROM statement_timestamp()) - 600) * 1000000
     LIMIT 1
  ) AS round ON true

-- name: rounds_of_last_hour
-- How many rounds of each table, or of one, were booked within the last hour. Seen from a message that the log stored
-- longer ago, those within the hour before it, by their own clock: restored books book hours of rounds at once.
SELECT table_id, count(*)
  FROM (SELECT DISTINCT table_id, number
          FROM books.round
         WHERE booked_at > statement_timestamp() - interval '1 hour'
           AND (%(table)s::text IS NULL OR table_id = %(table)s)
           AND started_at >= CASE
                 WHEN to_timestamp(%(at)s::bigint / 1000000) < statement_timestamp() - interval '1 hour'
                 THEN %(at)s::bigint - 3600000000 ELSE 0 END) AS booked
 GROUP BY table_id

-- name: numbers_booked
-- Those of some rounds that are booked.
SELECT asked.table_id, asked.number
  FROM unnest(%s::text[], %s::bigint[]) AS asked (table_id, number)
  JOIN books.booked_rounds AS had ON had.link = %s AND had.table_id = asked.table_id AND had.booked @> asked.number

-- name: park_round
-- Park a refused round with its problem.
INSERT INTO books.parked (link, table_id, number, round, problem) VALUES (%s, %s, %s, %s, %s)
ON CONFLICT DO NOTHING

-- name: round_booked
-- A booked round with its seats as they were corrected, and the entry that booked it.
SELECT started_at, wager, books.locked_seats(link, table_id, number, seats), entry
  FROM books.round WHERE link = %s AND table_id = %s AND number = %s

-- name: round_state
-- A round of a table on a link, or its last one: how it started, under which version, whether it is booked, parked, over
-- or void, what was said about it, the other links that it is booked on, and the awards that a button may look at: those
-- not settled, those of their rounds and those that changed their amounts, and those of the round.
WITH wanted AS (
  SELECT coalesce(%(number)s::bigint, (SELECT upper(booked) - 1 FROM books.booked_rounds
                                        WHERE link = %(link)s AND table_id = %(table)s), 0) AS number
)
SELECT wanted.number, round.started_at, round.wager,
       books.locked_seats(%(link)s, %(table)s, wanted.number, round.seats),
       (SELECT entry.body::jsonb -> 'references' ->> 'version' FROM books.entry
         WHERE entry.link = %(link)s AND entry.number = round.entry),
       EXISTS (SELECT FROM books.booked_rounds
                WHERE link = %(link)s AND table_id = %(table)s AND booked @> wanted.number),
       EXISTS (SELECT FROM books.parked
                WHERE link = %(link)s AND table_id = %(table)s AND parked.number = wanted.number),
       EXISTS (SELECT FROM books.booked_round_ends
                WHERE link = %(link)s AND table_id = %(table)s AND booked @> wanted.number),
       EXISTS (SELECT FROM books.unique_event WHERE link = %(link)s AND what = 'misdeal'
                  AND name = %(table)s || '/' || wanted.number),
       (SELECT coalesce(jsonb_agg(fact ORDER BY id), '[]') FROM books.table_fact
         WHERE link = %(link)s AND table_id = %(table)s AND table_fact.number = wanted.number),
       (SELECT coalesce(jsonb_agg(other.link ORDER BY other.link), '[]') FROM books.round AS other
         WHERE other.number = wanted.number AND other.table_id = %(table)s AND other.link <> %(link)s),
       (SELECT coalesce(jsonb_agg(to_jsonb(award) - 'link' - 'place' ORDER BY place), '[]') FROM books.award
         WHERE link = %(link)s AND id IN (
           SELECT id FROM books.award WHERE link = %(link)s AND status IN ('claimed', 'confirmed')
           UNION
           SELECT id FROM books.award WHERE link = %(link)s AND table_id = %(table)s AND round = wanted.number
           UNION
           SELECT beside.id FROM books.award AS open JOIN books.award AS beside USING (link, table_id, round)
            WHERE link = %(link)s AND open.status = 'claimed'
           UNION
           SELECT changed_by FROM books.award WHERE link = %(link)s AND status = 'claimed'))
  FROM wanted
  LEFT JOIN books.round ON round.link = %(link)s AND round.number = wanted.number AND round.table_id = %(table)s

-- name: rounds_at_tables
-- The last round of every table of some links that somebody deals at a screen, or has pressed a button in, and its
-- phase; nobody waits for it.
SELECT round.link, last.table_id, last.number,
       CASE WHEN coalesce(booked_round_ends.booked @> last.number, false)
              OR EXISTS (SELECT FROM books.unique_event WHERE unique_event.link = round.link AND what = 'misdeal'
                            AND name = last.table_id || '/' || last.number) THEN 'idle'
            WHEN EXISTS (SELECT FROM books.award WHERE award.link = last.link AND award.table_id = last.table_id
                            AND award.round = last.number AND award.status = 'claimed') THEN 'claimed'
            ELSE 'playing' END
  FROM (SELECT link, table_id, upper(booked) - 1 AS number FROM books.booked_rounds WHERE link = ANY (%s)) AS last
  JOIN books.round ON round.number = last.number AND round.table_id = last.table_id AND round.link = last.link
  LEFT JOIN books.booked_round_ends ON booked_round_ends.link = last.link AND booked_round_ends.table_id = last.table_id
 WHERE EXISTS (SELECT FROM books.table_fact
                WHERE table_fact.link = last.link AND table_fact.table_id = last.table_id
                  AND table_fact.number = last.number)
 ORDER BY last.table_id

-- name: rounds_booked
-- Booked rounds, to compare with repeated messages.
SELECT asked.table_id, asked.number, round.started_at, round.wager, round.seats
  FROM unnest(%s::text[], %s::bigint[]) AS asked (table_id, number)
  JOIN books.round ON round.link = %s AND round.number = asked.number AND round.table_id = asked.table_id

-- name: insert_table_facts
-- Log what happened at a table, in order.
INSERT INTO books.table_fact (link, table_id, number, at, kind, fact)
SELECT %(link)s, %(table)s, %(number)s, one.at, one.kind, one.fact
  FROM unnest(%(times)s::bigint[], %(kinds)s::text[], %(facts)s::jsonb[]) WITH ORDINALITY
    AS one (at, kind, fact, place)
 ORDER BY place

-- name: booked_steps
-- The logged steps of a round.
SELECT array_agg((fact ->> 'step')::integer) FROM books.table_fact
 WHERE link = %s AND table_id = %s AND number = %s AND jsonb_exists(fact, 'step')

-- name: steps_of_rounds
-- The steps of some rounds that are logged.
SELECT asked.table_id, asked.number, array_agg((said.fact ->> 'step')::integer)
  FROM unnest(%s::text[], %s::bigint[]) AS asked (table_id, number)
  JOIN books.table_fact AS said
    ON said.link = %s AND said.table_id = asked.table_id AND said.number = asked.number
       AND jsonb_exists(said.fact, 'step')
 GROUP BY 1, 2

-- name: rounds_parked
-- Those of some rounds that are parked.
SELECT asked.table_id, asked.number
  FROM unnest(%s::text[], %s::bigint[]) AS asked (table_id, number)
  JOIN books.parked
    ON parked.link = %s AND parked.table_id = asked.table_id AND parked.number = asked.number

-- name: rounds_refused
-- Those of some rounds that are parked, with the reason.
SELECT parked.round, parked.problem
  FROM unnest(%s::text[], %s::bigint[]) AS asked (table_id, number)
  JOIN books.parked
    ON parked.link = %s AND parked.table_id = asked.table_id AND parked.number = asked.number

-- name: parked_by_origin
-- Those of some messages that are kept because they could not be booked, and that two people have not booked since.
SELECT origin, problem FROM books.parked_message
 WHERE origin = ANY (%s)
   AND NOT EXISTS (SELECT FROM books.parked_answer WHERE parked = id AND outcome = 'booked')

-- name: logged_step
-- The logged message of one step of a round.
SELECT kind, fact FROM books.table_fact
 WHERE link = %s AND table_id = %s AND number = %s AND (fact ->> 'step')::integer = %s

-- name: last_hand_of_seat
-- What the last message about a seat's hand before a step of a round said, unless it was refused.
SELECT kind, fact ->> 'hand' FROM books.table_fact
 WHERE link = %s AND table_id = %s AND number = %s AND (fact ->> 'step')::integer < %s
   AND (fact ->> 'seat')::integer = %s AND kind IN ('HandPressed', 'HandCleared', 'Claim', 'ClaimCleared')
   AND NOT jsonb_exists(fact, 'refused')
 ORDER BY (fact ->> 'step')::integer DESC LIMIT 1

-- name: keep_parked_message
-- Keep a message that could not be booked, once; of one kind and table, only so many wait for people.
INSERT INTO books.parked_message (origin, subject, data, problem)
SELECT %(origin)s, %(subject)s, %(data)s, %(problem)s
 WHERE (SELECT count(*) FROM (SELECT FROM books.parked_message AS had
                               WHERE subject = %(subject)s
                                 AND NOT EXISTS (SELECT FROM books.parked_answer WHERE parked = had.id)
                               LIMIT %(most)s) AS waiting) < %(most)s
ON CONFLICT DO NOTHING

-- name: parked_waiting
-- Everything parked that nobody has answered, the oldest first; all or one.
SELECT id, subject, data, NULL::jsonb AS round, problem, parked_at FROM books.parked_message
 WHERE %(id)s IN (0, id) AND NOT EXISTS (SELECT FROM books.parked_answer WHERE parked = id)
UNION ALL
SELECT id, 'felt.' || replace(link, '.', '%%2E') || '.' || replace(table_id, '.', '%%2E') || '.round', NULL,
       round, problem, parked_at
  FROM books.parked
 WHERE %(id)s IN (0, id) AND NOT EXISTS (SELECT FROM books.parked_answer WHERE parked = id)
   AND round -> 'seats' <> '[]'
   AND NOT EXISTS (SELECT FROM books.booked_rounds AS had
                    WHERE had.link = parked.link AND had.table_id = parked.table_id AND had.booked @> parked.number)
 ORDER BY 1 LIMIT 500

-- name: answer_parked
-- Record what two people did about something parked; no row where it was answered before.
INSERT INTO books.parked_answer (parked, outcome, proposal) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING

-- name: find_probe
-- A line that the doctor has just written.
SELECT 1 FROM books.audit WHERE booked_at > clock_timestamp() - interval '1 hour' AND what = 'probe' AND place = %s

-- name: wait_for_probe
-- A probe never holds up play for long.
SET LOCAL lock_timeout = '5s'
