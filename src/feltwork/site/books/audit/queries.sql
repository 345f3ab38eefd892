-- name: all_versions
-- Every version of every link.
SELECT link, fingerprint, body FROM books.version ORDER BY link, registered_at

-- name: approved_adjustments_of
-- Approved proposals about adjustments and reversals on a link.
SELECT proposal.id, command, about, body, proposal.fingerprint, proposed_by, lapses_at,
       approval.fingerprint AS approved, answered_by AS approved_by, answered_at AS approved_at
  FROM books.proposal JOIN books.approval ON approval.proposal = proposal.id
 WHERE approval.approved AND command IN ('adjust', 'buy_merchandise', 'reverse') AND body ->> 'link' = %(link)s
 ORDER BY answered_at

-- name: audit_balances
-- Links whose balances do not sum to zero, or whose snapshot is not that of the last entry.
SELECT tail.link, tail.number + 1, 'what is kept does not belong to the last entry'
  FROM books.chain_tail AS tail JOIN books.link_state USING (link)
 WHERE link_state.number <> tail.number OR tail.uncovered <> 0
    OR (SELECT coalesce(sum(amount), 0) FROM books.balance WHERE balance.link = tail.link) <> 0

-- name: audit_chain
-- Entries of a period with a wrong hash, a broken link to the one before, or a missing number.
WITH placed AS MATERIALIZED (
  SELECT link, number, previous, hash, at, kind, body::jsonb AS parsed,
         lag(number) OVER chain AS number_before, lag(hash) OVER chain AS hash_before,
         encode(sha256(convert_to(body, 'UTF8')), 'hex') AS body_hash,
         encode(sha256(convert_to(fact, 'UTF8')), 'hex') AS fact_hash
    FROM books.entry WHERE booked_at >= %(since)s AND booked_at < %(until)s
  WINDOW chain AS (PARTITION BY link ORDER BY number)
), checked AS (
  SELECT link, number, CASE
           WHEN number <> coalesce(number_before, number - 1) + 1 THEN 'the entries before it are missing'
           WHEN previous <> coalesce(hash_before, previous) THEN 'it does not follow the entry before it'
           WHEN hash <> body_hash THEN 'its content is not what was hashed'
           WHEN (link, number, previous, at, kind) <> (parsed ->> 'link', (parsed ->> 'number')::bigint,
                 parsed ->> 'previous', (parsed ->> 'at')::bigint, parsed ->> 'kind')
             THEN 'its columns are not what was hashed'
           WHEN fact_hash <> parsed -> 'references' ->> 'fact' THEN 'its fact is not the one that was hashed'
         END AS what
    FROM placed
)
(SELECT DISTINCT ON (link) link, number, what FROM checked WHERE what IS NOT NULL ORDER BY link, number)
UNION ALL
SELECT first.link, first.number, 'it does not follow the last entry of the period before'
  FROM (SELECT DISTINCT ON (link) link, number, previous FROM placed ORDER BY link, number) AS first
 WHERE first.number > 1 AND NOT EXISTS (
   SELECT FROM books.entry AS before
    WHERE before.link = first.link AND before.number = first.number - 1 AND before.hash = first.previous)
UNION ALL
SELECT last.link, last.number + 1, 'the chain goes on elsewhere than here'
  FROM (SELECT DISTINCT ON (link) link, number, hash FROM placed ORDER BY link, number DESC) AS last
  JOIN books.chain_tail AS tail ON tail.link = last.link
 WHERE CASE WHEN tail.number = last.number THEN tail.hash <> last.hash ELSE NOT EXISTS (
         SELECT FROM books.entry AS after
          WHERE after.link = last.link AND after.number = last.number + 1 AND after.previous = last.hash) END

-- name: audit_postings
-- Entries of a period whose postings do not balance or break the posting rules.
WITH drawn AS (
  SELECT entry.link, entry.number, entry.kind, found.account_kind, found.amount, found.gives, found.gets
    FROM books.entry
   CROSS JOIN LATERAL (
     SELECT split_part(posting ->> 0, '/', 1) AS account_kind, sum((posting -> 1)::bigint) AS amount,
            bool_or((posting -> 1)::bigint < 0) AS gives, bool_or((posting -> 1)::bigint > 0) AS gets
       FROM jsonb_array_elements(body::jsonb -> 'postings') AS posting GROUP BY 1) AS found
   WHERE booked_at >= %(since)s AND booked_at < %(until)s
)
SELECT link, number,
       CASE WHEN sum(amount) <> 0 THEN 'its postings do not balance'
            ELSE min(drawn.kind) || ' may not move money this way' END
  FROM drawn LEFT JOIN books.posting_rule AS way USING (kind, account_kind)
 GROUP BY link, number
HAVING sum(amount) <> 0
    OR bool_or(drawn.gives AND NOT coalesce(way.gives, false))
    OR bool_or(drawn.gets AND NOT coalesce(way.gets, false))

-- name: audit_rounds
-- Contributions of a period that differ from the wagers of their rounds.
WITH booked AS (
  SELECT link, entry AS number, wager, sum(cardinality(seats)) AS wagers,
         encode(sha256(convert_to(string_agg(
           concat_ws(' ', table_id, number, started_at, array_to_string(seats, ',')), E'\n'
           ORDER BY table_id COLLATE "C", number), 'UTF8')), 'hex') AS digest
    FROM books.round WHERE booked_at >= %(since)s AND booked_at < %(until)s GROUP BY 1, 2, 3
), contributed AS MATERIALIZED (
  SELECT link, number, body::jsonb AS body, fact::jsonb ->> 'digest' AS digest FROM books.entry
   WHERE kind = 'Contributed' AND booked_at >= %(since)s AND booked_at < %(until)s
), priced AS MATERIALIZED (
  SELECT link, fingerprint, (body::jsonb ->> 'wager')::bigint AS wager FROM books.version
), told AS (
  SELECT contributed.link, number, wager, digest,
         coalesce((SELECT -sum((posting -> 1)::bigint) FROM jsonb_array_elements(body -> 'postings') AS posting
                    WHERE posting ->> 0 ^@ 'patrons/'), 0) AS wagered
    FROM contributed JOIN priced
      ON priced.link = contributed.link AND priced.fingerprint = body -> 'references' ->> 'version'
)
SELECT DISTINCT coalesce(told.link, booked.link), coalesce(told.number, booked.number),
       'its rounds are not those that were contributed'
  FROM told FULL JOIN booked ON booked.link = told.link AND booked.number = told.number
 WHERE booked.wager IS DISTINCT FROM told.wager OR booked.wagers * booked.wager IS DISTINCT FROM told.wagered
    OR booked.digest IS DISTINCT FROM told.digest

-- name: audit_size
-- The number of entries and rounds in a period.
SELECT (SELECT count(DISTINCT link) FROM books.entry WHERE booked_at >= %(since)s AND booked_at < %(until)s),
       (SELECT count(*) FROM books.entry WHERE booked_at >= %(since)s AND booked_at < %(until)s),
       (SELECT count(*) FROM books.round WHERE booked_at >= %(since)s AND booked_at < %(until)s)

-- name: balances_after
-- The balances of a link after an entry.
SELECT posting ->> 0, sum((posting -> 1)::bigint)::bigint
  FROM books.entry, jsonb_array_elements(body::jsonb -> 'postings') AS posting
 WHERE link = %s AND number <= %s
 GROUP BY 1 HAVING sum((posting -> 1)::bigint) <> 0 ORDER BY 1

-- name: balances_of
-- The balances of a link, with all trays summed.
SELECT account, amount FROM books.balance WHERE link = %s

-- name: check_chain
-- The first entry after the last check with a wrong hash or a broken chain, if any.
WITH placed AS (
  SELECT number, previous, hash,
         coalesce(lag(number) OVER chain, %(number)s) AS number_before,
         coalesce(lag(hash) OVER chain, %(hash)s) AS hash_before,
         encode(sha256(convert_to(body, 'UTF8')), 'hex') AS body_hash,
         encode(sha256(convert_to(fact, 'UTF8')), 'hex') AS fact_hash,
         body::jsonb -> 'references' ->> 'fact' AS fact_named
    FROM books.entry WHERE link = %(link)s AND number > %(number)s
  WINDOW chain AS (ORDER BY number)
)
SELECT number FROM placed
 WHERE number <> number_before + 1 OR previous <> hash_before OR hash <> body_hash OR fact_hash <> fact_named
 ORDER BY number LIMIT 1

-- name: check_end
-- The chain tail, the last entry present, and the number of the snapshot.
SELECT tail.number, tail.hash, tail.uncovered, link_state.number,
       coalesce((SELECT hash FROM books.entry WHERE entry.link = tail.link AND entry.number = tail.number),
                repeat('0', 64))
  FROM books.chain_tail AS tail JOIN books.link_state USING (link) WHERE tail.link = %s

-- name: check_postings
-- The sums of the postings after the last check, with trays and patrons summed.
SELECT CASE WHEN posting ->> 0 ^@ 'tray/' THEN 'tray' WHEN posting ->> 0 ^@ 'patrons/' THEN 'patrons/' || link
            ELSE posting ->> 0 END, sum((posting -> 1)::bigint)::bigint
  FROM books.entry, jsonb_array_elements(body::jsonb -> 'postings') AS posting
 WHERE link = %s AND number > %s
 GROUP BY 1

-- name: checkpoints_of
-- The checkpoints of a link.
SELECT number, balances FROM books.checkpoint WHERE link = %s

-- name: corrections_of
-- The corrected seats of a link, with the seats that START GAME had locked and the entry that booked the round.
SELECT correction.entry, correction.table_id AS "table", correction.number AS round, seat, wagered,
       round.seats AS started, round.entry AS booked_in
  FROM books.correction
  LEFT JOIN books.round ON round.number = correction.number AND round.table_id = correction.table_id
       AND round.link = correction.link
 WHERE correction.link = %(link)s

-- name: ends_of_entries
-- What the trays paid and the numbers of the rounds that ended, by table and entry.
SELECT entry, table_id, sum(fixed)::bigint, sum(envy)::bigint, range_agg(int8range(number, number, '[]'))::text
  FROM books.round_end WHERE link = %s GROUP BY entry, table_id

-- name: day_heads
-- Every signed day head, in the order of days.
SELECT day, body, signature FROM books.day_head ORDER BY day

-- name: entries_of
-- The whole chain of a link.
SELECT number, previous, hash, at, kind, body, fact, booked_at FROM books.entry WHERE link = %s ORDER BY number

-- name: evidence_problem
-- The first record of the evidence that is not what was chained, or is gone; months of the audit log may be dropped after
-- five years.
SELECT number, kind, key, what FROM (
  SELECT evidence.number, coalesce(evidence.kind, held.kind) AS kind, coalesce(evidence.key, held.key) AS key,
         CASE WHEN held.key IS NULL THEN 'the record is gone'
              WHEN evidence.key IS NULL THEN 'the record is in no chain'
              ELSE 'the record is not what was chained' END AS what
    FROM (SELECT DISTINCT ON (kind, key) kind, key, number, digest, booked_at FROM books.evidence
           ORDER BY kind, key, number DESC) AS evidence
    FULL JOIN books.evidence_record AS held ON held.kind = evidence.kind AND held.key = evidence.key
   WHERE evidence.digest IS DISTINCT FROM encode(sha256(convert_to(held.contents, 'UTF8')), 'hex')
     AND NOT (held.key IS NULL AND evidence.kind = 'audit'
              AND evidence.booked_at < clock_timestamp() - interval '5 years')
) AS found ORDER BY number NULLS LAST, kind, key LIMIT 1

-- name: evidence_chain_problem
-- The first link of the evidence chain with a wrong hash or a missing number, or the end where it is cut off.
WITH placed AS (
  SELECT number, previous, hash, lag(number, 1, 0::bigint) OVER chain AS number_before,
         lag(hash, 1, repeat('0', 64)) OVER chain AS hash_before,
         encode(sha256(convert_to(concat_ws(E'\n', number, kind, key, digest, previous), 'UTF8')), 'hex') AS hashed
    FROM books.evidence WINDOW chain AS (ORDER BY number)
)
SELECT number FROM (
  (SELECT number_before + 1 AS number FROM placed
    WHERE number <> number_before + 1 OR previous <> hash_before OR hash <> hashed ORDER BY number LIMIT 1)
  UNION ALL
  SELECT tail.number FROM books.evidence_tail AS tail
   WHERE tail.number > 0 AND NOT EXISTS (SELECT FROM books.evidence
                                          WHERE evidence.number = tail.number AND evidence.hash = tail.hash)
  UNION ALL
  SELECT min(number) FROM books.evidence WHERE number > (SELECT number FROM books.evidence_tail) HAVING count(*) > 0
) AS bad ORDER BY number LIMIT 1

-- name: evidence_size
-- The number of chained records.
SELECT count(*) FROM books.evidence

-- name: evidence_end
-- The last link of the evidence chain before an instant.
SELECT number, hash FROM books.evidence WHERE booked_at < %s ORDER BY number DESC LIMIT 1

-- name: data_awards
-- Every step of an award that was booked in a period, with what it adds to or takes off the awards.
SELECT %(day)s::date, entry.link, award.id, lower(entry.kind), award.table_id, award.round, award.seat, award.hand,
       moved.level, moved.from_meter * 0.000001, moved.from_house * 0.000001,
       (moved.from_meter + moved.from_house) * 0.000001,
       CASE WHEN entry.kind = 'Paid' THEN (fact.is ->> 'amount')::bigint
            WHEN (fact.is ->> 'was_paid')::boolean THEN moved.from_meter + moved.from_house ELSE 0 END * 0.000001,
       fact.is ->> 'form', entry.number, entry.booked_at AT TIME ZONE 'UTC'
  FROM books.entry
  CROSS JOIN LATERAL (SELECT entry.fact::jsonb AS is) AS fact
  JOIN books.award ON award.link = entry.link AND award.id = fact.is ->> 'award'
  CROSS JOIN LATERAL (
    SELECT coalesce(fact.is ->> 'level', '') AS level,
           coalesce((fact.is ->> 'from_meter')::bigint, -(fact.is ->> 'to_meter')::bigint, 0) AS from_meter,
           coalesce((fact.is ->> 'from_house')::bigint, -(fact.is ->> 'to_house')::bigint, 0) AS from_house) AS moved
 WHERE entry.booked_at >= %(since)s AND entry.booked_at < %(until)s
   AND entry.kind IN ('Claimed', 'Voided', 'Confirmed', 'Paid', 'Confiscated', 'Reversed')
 ORDER BY entry.link, entry.number

-- name: data_journal
-- The postings of the entries of a period; an entry that moves no money has one line without an account.
SELECT %(day)s::date, entry.link, entry.number, entry.kind, coalesce(posting.line, 0), account.path,
       split_part(account.path, '/', 1),
       CASE WHEN split_part(account.path, '/', 1) IN ('meter', 'reserve', 'pending', 'seed_advanced')
            THEN split_part(account.path, '/', 3) END,
       (posting.value -> 1)::bigint * 0.000001,
       timestamp 'epoch' + entry.at * interval '1 microsecond', entry.booked_at AT TIME ZONE 'UTC', entry.hash
  FROM books.entry
  LEFT JOIN LATERAL jsonb_array_elements(entry.body::jsonb -> 'postings') WITH ORDINALITY AS posting (value, line)
    ON true
  CROSS JOIN LATERAL (SELECT posting.value ->> 0 AS path) AS account
 WHERE entry.booked_at >= %(since)s AND entry.booked_at < %(until)s
 ORDER BY entry.link, entry.number, posting.line

-- name: data_meters
-- What each level displayed and had in reserve when a period ended; of a house jackpot the posted amount.
WITH ends AS (
  SELECT link.id AS link, link.kind, closing.number
    FROM books.link CROSS JOIN LATERAL (
      SELECT number FROM books.entry WHERE entry.link = link.id AND booked_at < %(until)s
       ORDER BY number DESC LIMIT 1) AS closing
), levels AS (
  SELECT ends.*, level ->> 'name' AS level
    FROM ends CROSS JOIN LATERAL (
      SELECT entry.fact::jsonb ->> 'version' AS version FROM books.entry
       WHERE entry.link = ends.link AND entry.number <= ends.number AND kind IN ('Opened', 'Reconfigured')
       ORDER BY entry.number DESC LIMIT 1) AS began
    JOIN books.version ON version.link = ends.link AND version.fingerprint = began.version
    CROSS JOIN LATERAL jsonb_array_elements(version.body::jsonb -> 'levels') AS level
)
SELECT %(day)s::date, levels.link, kind, level,
       coalesce(posted.amount, books.balance_after(levels.link, 'meter/' || levels.link || '/' || level, number))
         * 0.000001,
       books.balance_after(levels.link, 'reserve/' || levels.link || '/' || level, number) * 0.000001, number
  FROM levels LEFT JOIN LATERAL (
    SELECT (entry.fact::jsonb ->> 'after')::bigint AS amount FROM books.entry
     WHERE entry.link = levels.link AND entry.number <= levels.number AND entry.kind = 'AmountSet'
       AND entry.fact::jsonb ->> 'level' = level
     ORDER BY entry.number DESC LIMIT 1) AS posted ON true
 ORDER BY levels.link, level

-- name: data_rounds
-- What moved the wagers of rounds and what the tray paid in a period, with the share of meters, reserves and house
-- by the rates of the version in force.
WITH versions AS (
  SELECT period.link, period.number AS first, period.next_number AS next,
         version.body::jsonb ->> 'jackpot' AS jackpot, (version.body::jsonb ->> 'wager')::bigint AS wager, rate.*
    FROM books.version_period AS period
    JOIN books.version ON version.link = period.link AND version.fingerprint = period.version
    CROSS JOIN LATERAL (
      SELECT sum((version.body::jsonb ->> 'wager')::bigint * (level ->> 'contribution')::bigint / 10000) AS to_meters,
             sum((version.body::jsonb ->> 'wager')::bigint * (level ->> 'reserve')::bigint / 10000) AS to_reserves
        FROM jsonb_array_elements(version.body::jsonb -> 'levels') AS level) AS rate
), moved AS (
  SELECT link, entry, table_id, number, 'dealt' AS what, array_to_string(seats, ' ') AS seats,
         cardinality(seats) AS wagers, 0 AS fixed, 0 AS envy, started_at AS at, booked_at
    FROM books.round WHERE booked_at >= %(since)s AND booked_at < %(until)s
  UNION ALL
  SELECT link, number, fact ->> 'table', (fact ->> 'round')::bigint,
         CASE kind WHEN 'Misdealt' THEN 'misdealt' WHEN 'WagerAdded' THEN 'wager added' ELSE 'wager returned' END,
         fact ->> 'seat', CASE kind WHEN 'WagerAdded' THEN 1 ELSE -coalesce((fact ->> 'wagers')::bigint, 1) END,
         0, 0, at, booked_at
    FROM (SELECT link, number, kind, fact::jsonb AS fact, at, booked_at FROM books.entry
           WHERE kind IN ('Misdealt', 'WagerAdded', 'WagerReturned')
             AND booked_at >= %(since)s AND booked_at < %(until)s) AS changed
  UNION ALL
  SELECT link, entry, table_id, number, 'tray paid', NULL, 0, fixed, envy, ended_at, booked_at
    FROM books.round_end WHERE booked_at >= %(since)s AND booked_at < %(until)s AND fixed + envy > 0
)
SELECT %(day)s::date, moved.link, jackpot, table_id, number, what, seats, wagers, wager * 0.000001,
       wagers * wager * 0.000001, wagers * to_meters * 0.000001, wagers * to_reserves * 0.000001,
       wagers * (wager - to_meters - to_reserves) * 0.000001, fixed * 0.000001, envy * 0.000001, entry,
       timestamp 'epoch' + at * interval '1 microsecond', booked_at AT TIME ZONE 'UTC'
  FROM moved JOIN versions ON versions.link = moved.link AND entry >= first AND entry < next
 ORDER BY moved.link, entry, table_id, number, what

-- name: export_evidence
-- The chain of records in a period, each with the record where this is its last link.
SELECT number, evidence.kind, evidence.key, digest, previous, hash, booked_at,
       CASE WHEN encode(sha256(convert_to(contents, 'UTF8')), 'hex') = digest THEN contents END AS contents
  FROM books.evidence
  -- A record is chained when its transaction commits, a moment after its own time; a person, with each change.
  LEFT JOIN books.evidence_record AS held ON held.kind = evidence.kind AND held.key = evidence.key
       AND (held.kind = 'person' OR held.at >= %(since)s::timestamptz - interval '1 day' AND held.at < %(until)s)
 WHERE number > %(evidence_opened)s AND number <= %(evidence_closed)s
 ORDER BY number

-- name: export_earlier_proposals
-- Proposals from before a period that were approved in it, with their links of the evidence chain.
SELECT number, evidence.kind, evidence.key, digest, previous, hash, evidence.booked_at, contents
  FROM books.approval
  JOIN books.evidence ON evidence.kind = 'proposal' AND evidence.key = approval.proposal
  JOIN books.evidence_record AS held ON held.kind = 'proposal' AND held.key = approval.proposal
 WHERE answered_at >= %(since)s AND answered_at < %(until)s AND number <= %(evidence_opened)s
 ORDER BY number

-- name: export_day_heads
-- The heads of the days that ended in a period, with their timestamps.
SELECT day::text AS day, body, signature,
       (SELECT coalesce(jsonb_object_agg(authority, translate(encode(token, 'base64'), E'\n', '')), '{}')
          FROM books.day_anchor WHERE day_anchor.day = day_head.day) AS anchors
  FROM books.day_head WHERE ended_at > %(since)s AND ended_at <= %(until)s ORDER BY day

-- name: export_earlier_rounds
-- Rounds booked before a period that its entries name: their seats, and whether they were over or void, when it began.
WITH asked AS (
  SELECT * FROM unnest(%(links)s::text[], %(opened)s::bigint[], %(closed)s::bigint[]) AS asked (link, opened, closed)
), named AS (
  SELECT asked.*, body::jsonb -> 'references' ->> 'table' AS table_id,
         (body::jsonb -> 'references' ->> 'round')::bigint AS number
    FROM asked JOIN books.entry ON entry.link = asked.link AND entry.number > opened AND entry.number <= closed
   WHERE opened > 0 AND kind IN ('Claimed', 'Misdealt', 'WagerAdded', 'WagerReturned')
   UNION
  SELECT asked.*, table_id, number
    FROM asked JOIN books.round_end ON round_end.link = asked.link AND entry > opened AND entry <= closed
   WHERE opened > 0
)
SELECT named.link, round.entry, named.table_id, named.number, round.wager,
       (SELECT body::jsonb -> 'references' ->> 'version' FROM books.entry
         WHERE entry.link = round.link AND entry.number = round.entry) AS version,
       (SELECT coalesce(array_agg(seat ORDER BY seat), '{}')
          FROM (SELECT unnest(round.seats) AS seat
                 UNION SELECT seat FROM books.correction
                 WHERE correction.link = named.link AND correction.table_id = named.table_id
                   AND correction.number = named.number AND correction.entry <= opened) AS known
         WHERE coalesce((SELECT wagered FROM books.correction
                          WHERE correction.link = named.link AND correction.table_id = named.table_id
                            AND correction.number = named.number AND correction.seat = known.seat
                            AND correction.entry <= opened ORDER BY correction.entry DESC LIMIT 1), true)) AS seats,
       EXISTS (SELECT FROM books.round_end AS over
                WHERE over.link = named.link AND over.table_id = named.table_id AND over.number = named.number
                  AND over.entry <= opened) AS is_over,
       EXISTS (SELECT FROM books.unique_event
                WHERE unique_event.link = named.link AND what = 'misdeal' AND unique_event.number <= opened
                  AND name = named.table_id || '/' || named.number) AS is_void
  FROM named
  JOIN books.round ON round.link = named.link AND round.table_id = named.table_id AND round.number = named.number
       AND round.entry <= opened
 ORDER BY named.link, named.table_id, named.number

-- name: export_ends
-- The last entry of each chain before the start and before the end of a period.
SELECT link.id, link.kind,
       coalesce(opening.number, 0), coalesce(opening.hash, repeat('0', 64)), coalesce(opening.body, ''),
       coalesce(closing.number, 0), coalesce(closing.hash, repeat('0', 64)), coalesce(closing.body, '')
  FROM books.link
  LEFT JOIN LATERAL (SELECT number, hash, body FROM books.entry
                      WHERE entry.link = link.id AND booked_at < %(since)s
                      ORDER BY number DESC LIMIT 1) AS opening ON true
  LEFT JOIN LATERAL (SELECT number, hash, body FROM books.entry
                      WHERE entry.link = link.id AND booked_at < %(until)s
                      ORDER BY number DESC LIMIT 1) AS closing ON true
 ORDER BY link.id

-- name: export_entries
-- Entries of a period, chain by chain: all after the one at which it began, up to the one at which it ended.
SELECT entry.link, entry.number, previous, hash, booked_at, body, fact
  FROM books.entry
  JOIN unnest(%(links)s::text[], %(opened)s::bigint[], %(closed)s::bigint[]) AS asked (link, opened, closed)
    ON entry.link = asked.link AND entry.number > asked.opened AND entry.number <= asked.closed
 ORDER BY entry.link, entry.number

-- name: export_round_ends
-- Ends of rounds that entries of a period booked, with the hands that were entered before.
SELECT ended.link, ended.entry, ended.table_id, ended.number, ended_at, fixed, envy, coalesce(pressed.hands, '{}') AS hands
  FROM books.round_end AS ended
  JOIN unnest(%(links)s::text[], %(opened)s::bigint[], %(closed)s::bigint[]) AS asked (link, opened, closed)
    ON ended.link = asked.link AND ended.entry > asked.opened AND ended.entry <= asked.closed
  LEFT JOIN books.entered_hands AS pressed
    ON pressed.link = ended.link AND pressed.table_id = ended.table_id AND pressed.number = ended.number
 ORDER BY ended.link, ended.entry, ended.table_id, ended.number

-- name: export_rounds
-- Rounds that entries of a period booked. Their own time is that of their statement, a moment before the entry's.
SELECT round.link, entry, table_id, number, started_at, wager, seats
  FROM books.round
  JOIN unnest(%(links)s::text[], %(opened)s::bigint[], %(closed)s::bigint[]) AS asked (link, opened, closed)
    ON round.link = asked.link AND round.entry > asked.opened AND round.entry <= asked.closed
 WHERE booked_at >= %(since)s::timestamptz - interval '1 day' AND booked_at < %(until)s
 ORDER BY round.link, entry, table_id, number

-- name: first_instant
-- When the first link was registered, and the time now.
SELECT min(registered_at), clock_timestamp() FROM books.link

-- name: head_problem
-- The first entry that a day head names and the chain does not have.
SELECT link, number FROM unnest(%(links)s::text[], %(numbers)s::bigint[], %(hashes)s::text[]) AS said (link, number, hash)
 WHERE number > 0 AND NOT EXISTS (
   SELECT FROM books.entry WHERE entry.link = said.link AND entry.number = said.number AND entry.hash = said.hash)
   AND NOT EXISTS (SELECT FROM books.evidence
                    WHERE said.link = 'evidence' AND evidence.number = said.number AND evidence.hash = said.hash)
 ORDER BY link LIMIT 1

-- name: inflow_until
-- The total inflow of every meter and reserve of a link up to an entry, without locks.
SELECT posting ->> 0, sum((posting -> 1)::bigint)::bigint
  FROM books.entry, jsonb_array_elements(body::jsonb -> 'postings') AS posting
 WHERE link = %s AND number <= %s AND kind NOT IN ('Locked', 'Released')
   AND (posting ->> 0 LIKE 'meter/%%' OR posting ->> 0 LIKE 'reserve/%%')
 GROUP BY 1 HAVING sum((posting -> 1)::bigint) <> 0 ORDER BY 1

-- name: last_check
-- The last check of a link that found nothing wrong.
SELECT number, hash, balances FROM books.self_check WHERE link = %s

-- name: links
-- Every link.
SELECT id, kind FROM books.link ORDER BY id

-- name: awards_at
-- The awards of the rounds that had an open award after an entry, or one that was reversed between it and another.
SELECT mine.id FROM books.award AS mine
 WHERE mine.link = %(link)s AND (mine.table_id, mine.round) IN (
   SELECT award.table_id, award.round
     FROM books.award
     JOIN books.unique_event AS claim ON claim.link = award.link AND claim.what = 'claim' AND claim.name = award.id
    WHERE award.link = %(link)s AND claim.number <= %(number)s
      AND (NOT EXISTS (SELECT FROM books.unique_event AS done
                        WHERE done.link = claim.link AND done.name = claim.name AND done.number <= %(number)s
                          AND done.kind IN ('Voided', 'Paid', 'Confiscated', 'Reversed')
                          AND done.what IN ('settlement', 'payment', 'reversal'))
           OR EXISTS (SELECT FROM books.unique_event AS back
                       WHERE back.link = claim.link AND back.name = claim.name AND back.what = 'reversal'
                         AND back.number > %(number)s AND back.number <= %(closed)s)))

-- name: award_facts_until
-- The facts of some awards of a link up to an entry, in order.
SELECT number, fact FROM books.entry
 WHERE link = %(link)s AND kind <> 'Contributed' AND number <= %(number)s
   AND body::jsonb -> 'references' ->> 'award' = ANY (%(names)s)
 ORDER BY number

-- name: lock_day_heads
-- Only one program signs day heads at a time.
SELECT pg_advisory_xact_lock(hashtextextended('feltwork/day heads', 0))

-- name: register_site_key
-- Record the public key of the site.
INSERT INTO books.site_key (public_key) VALUES (%s) ON CONFLICT DO NOTHING

-- name: round_digests
-- The digest of the rounds, or of their ends, that each entry of a link booked.
SELECT entry, encode(sha256(convert_to(string_agg(
         concat_ws(' ', table_id, number, started_at, array_to_string(seats, ',')), E'\n'
         ORDER BY table_id COLLATE "C", number), 'UTF8')), 'hex')
  FROM books.round WHERE link = %(link)s GROUP BY entry
UNION ALL
SELECT entry, encode(sha256(convert_to(string_agg(
         concat_ws(' ', table_id, number, ended_at, fixed, envy), E'\n'
         ORDER BY table_id COLLATE "C", number), 'UTF8')), 'hex')
  FROM books.round_end WHERE link = %(link)s GROUP BY entry

-- name: rounds_of_entries
-- The wagers and round numbers of each table, per entry.
SELECT entry, table_id, sum(cardinality(seats))::bigint AS wagers, min(wager), max(wager),
       range_agg(int8range(number, number, '[]'))::text AS numbers
  FROM books.round WHERE link = %s GROUP BY entry, table_id ORDER BY entry, table_id

-- name: save_check
-- Save a successful check; the next one starts there.
INSERT INTO books.self_check (link, number, hash, balances) VALUES (%s, %s, %s, %s)
ON CONFLICT (link) DO UPDATE SET number = excluded.number, hash = excluded.hash, balances = excluded.balances,
                                 checked_at = clock_timestamp()

-- name: save_anchor
-- Keep the timestamp of a day head.
INSERT INTO books.day_anchor (day, authority, token) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING

-- name: save_copy
-- Note that a day head was sent to somebody.
INSERT INTO books.day_copy (day, receiver) VALUES (%s, %s) ON CONFLICT DO NOTHING

-- name: save_day_head
-- Keep a signed day head.
INSERT INTO books.day_head (day, ended_at, body, signature) VALUES (%s, %s, %s, %s)

-- name: site_keys
-- The public keys of the site.
SELECT public_key FROM books.site_key ORDER BY registered_at

-- name: settings_until
-- What set the version, the caps and the posted amounts of a link, up to an entry, in order.
SELECT fact FROM books.entry
 WHERE link = %(link)s AND number <= %(number)s AND kind IN ('Opened', 'Reconfigured', 'CapSet', 'AmountSet') ORDER BY number

-- name: tail_and_link_state
-- The chain tail and the snapshot of a link.
SELECT tail.number, tail.hash, link_state.number, link_state.version, link_state.state
  FROM books.chain_tail AS tail JOIN books.link_state AS link_state USING (link) WHERE tail.link = %s

-- name: tray_payments_of
-- Ends of rounds with a hand entered before the end, or with a payment; with the hands, the locked seats and the version.
SELECT ended.entry, ended.table_id AS "table", ended.number AS round, fixed, envy,
       coalesce(pressed.hands, '{}') AS hands,
       CASE WHEN round.number IS NOT NULL
            THEN books.locked_seats(ended.link, ended.table_id, ended.number, round.seats) END AS seats,
       (SELECT body::jsonb -> 'references' ->> 'version' FROM books.entry
         WHERE entry.link = round.link AND entry.number = round.entry) AS version
  FROM books.round_end AS ended
  LEFT JOIN books.entered_hands AS pressed
    ON pressed.link = ended.link AND pressed.table_id = ended.table_id AND pressed.number = ended.number
  LEFT JOIN books.round ON round.number = ended.number AND round.table_id = ended.table_id AND round.link = ended.link
 WHERE ended.link = %(link)s AND (fixed > 0 OR envy > 0 OR pressed.hands IS NOT NULL)

-- name: unanchored_heads
-- The day heads that an authority has not stamped.
SELECT day, body, signature FROM books.day_head
 WHERE NOT EXISTS (SELECT FROM books.day_anchor WHERE day_anchor.day = day_head.day AND authority = %s) ORDER BY day

-- name: unsent_heads
-- The day heads that a receiver has no copy of.
SELECT day, body, signature FROM books.day_head
 WHERE NOT EXISTS (SELECT FROM books.day_copy WHERE day_copy.day = day_head.day AND receiver = %s) ORDER BY day

-- name: version
-- One version of a link.
SELECT body FROM books.version WHERE link = %s AND fingerprint = %s

-- name: versions_of
-- Every version of a link.
SELECT fingerprint, body FROM books.version WHERE link = %s ORDER BY registered_at

-- name: named_rounds_of
-- The rounds of a link that claims and misdeals name.
SELECT DISTINCT round.table_id AS "table", round.number AS round, round.seats AS started, round.entry AS booked_in,
       round_end.entry AS ended_in
  FROM books.entry
  JOIN books.round ON round.link = entry.link AND round.table_id = body::jsonb -> 'references' ->> 'table'
       AND round.number = (body::jsonb -> 'references' ->> 'round')::bigint
  LEFT JOIN books.round_end ON round_end.link = round.link AND round_end.table_id = round.table_id
       AND round_end.number = round.number
 WHERE entry.link = %(link)s AND entry.kind IN ('Claimed', 'Misdealt')

-- name: day_sheets
-- The sheets of a day, or all of them, in order.
SELECT number, day, body, signature, closed_by, closed_at FROM books.day_sheet
 WHERE %(day)s::date IS NULL OR day = %(day)s ORDER BY number

-- name: lock_day_sheets
-- One day is closed at a time.
SELECT pg_advisory_xact_lock(hashtextextended('day sheets', 0))

-- name: open_items
-- What is still open on a day: the item of the checklist, what it is about, and its amount.
SELECT 'claims' AS item, link || ', ' || id AS about, nullif(from_meter + from_house, 0) AS amount
  FROM books.award WHERE status = 'claimed' AND claimed_at < extract(epoch FROM %(until)s::timestamptz) * 1000000
UNION ALL
SELECT 'awards', link || ', ' || id, from_meter + from_house
  FROM books.award WHERE status = 'confirmed' AND claimed_at < extract(epoch FROM %(until)s::timestamptz) * 1000000
UNION ALL
SELECT 'rounds', link || ', ' || table_id || ', ' || concat_ws('-', first, nullif(last, first)), NULL FROM books.gap
UNION ALL
SELECT 'parked', link || ', ' || table_id || ', ' || number, NULL
  FROM books.parked
  LEFT JOIN books.parked_answer ON parked_answer.parked = parked.id
  LEFT JOIN books.booked_rounds AS had USING (link, table_id)
 WHERE parked_answer.parked IS NULL AND parked_at < %(until)s
   AND (had.booked IS NULL OR NOT had.booked @> parked.number)
UNION ALL
SELECT 'parked', subject, NULL
  FROM books.parked_message LEFT JOIN books.parked_answer ON parked_answer.parked = parked_message.id
 WHERE parked_answer.parked IS NULL AND parked_at < %(until)s
UNION ALL
SELECT 'alarms', kind || ', ' || place, NULL FROM books.alarm WHERE cleared_at IS NULL AND raised_at < %(until)s
UNION ALL
SELECT 'proposals', command || ', ' || about, NULL
  FROM books.proposal LEFT JOIN books.approval ON approval.proposal = proposal.id
 WHERE approval.proposal IS NULL AND lapses_at > clock_timestamp() AND proposed_at < %(until)s
UNION ALL
SELECT 'drawers', person, opening
  FROM (SELECT DISTINCT ON (person) person, step, opening FROM books.drawer_count
         WHERE counted_at < %(until)s ORDER BY person, number DESC) AS last
 WHERE step = 'opened'
UNION ALL
SELECT 'notices', 'incident ' || incident.number || ', ' || incident.what, NULL
  FROM books.incident
  LEFT JOIN books.incident_step ON incident_step.incident = incident.number AND step = 'notified'
 WHERE notify_by < %(until)s AND incident_step.step IS NULL
 ORDER BY 1, 2

-- name: save_day_sheet
-- Save a signed day sheet.
INSERT INTO books.day_sheet (day, body, signature, closed_by) VALUES (%s, %s, %s, %s)
RETURNING number, day, body, signature, closed_by, closed_at

-- name: oldest_records
-- The oldest record of each kind.
SELECT 'journal and rounds', min(first_entry.booked_at)
  FROM books.link, LATERAL (SELECT booked_at FROM books.entry
                             WHERE entry.link = link.id ORDER BY number LIMIT 1) AS first_entry
UNION ALL SELECT 'audit log', min(booked_at) FROM books.audit
UNION ALL (SELECT kind, min(at) FROM books.record GROUP BY kind ORDER BY kind)

-- name: partitioned_tables
-- The tables with a partition for each month.
SELECT name FROM books.partitioned_table ORDER BY name

-- name: make_partitions
-- Create the partitions of a table that are missing for the next months.
SELECT books.make_partitions(current_date, books.months_ahead(), %s)

-- name: last_partition
-- The last month for which every partitioned table has a partition.
SELECT min(last) FROM (
  SELECT max(to_date(right(relname, 7), 'YYYY_MM')) AS last
    FROM books.partitioned_table
    LEFT JOIN pg_class ON relnamespace = 'books'::regnamespace AND relname ~ ('^' || name || '_\d{4}_\d{2}$')
   GROUP BY name) AS tables
