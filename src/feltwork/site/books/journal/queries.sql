-- name: all_awards
-- All awards of a link in the order of their claims.
SELECT id, table_id, round, seat, hand, claimed_by, claimed_at, status, level, from_meter, from_house, seed,
       reserve, locked, lock_number, first_lock, meter_inflow, reserve_inflow, changed_by, restarts, supervisor, executive, paid_by, cards
  FROM books.award WHERE link = %s ORDER BY place

-- name: save_response
-- Save the response of a request.
UPDATE books.idempotency SET answer = %s WHERE key = %s

-- name: append_entry
-- One entry at the end of its chain; the database reads the columns off the body.
INSERT INTO books.entry (body, fact) VALUES (%s, %s)

-- name: confirm_earlier
-- Something to commit, if a commit waits for a standby: that one then has everything before it too.
SELECT pg_logical_emit_message(true, 'feltwork', '') WHERE current_setting('synchronous_standby_names') <> ''

-- name: claim_request_key
-- Claim an idempotency key; other transactions with the same key wait.
INSERT INTO books.idempotency (key, body_hash) VALUES (%s, %s) ON CONFLICT DO NOTHING

-- name: awards_for_command
-- The awards that a command may look at: those not settled, those of their rounds and those that changed their
-- amounts, those of the round, and the one it names.
SELECT id, table_id, round, seat, hand, claimed_by, claimed_at, status, level, from_meter, from_house, seed,
       reserve, locked, lock_number, first_lock, meter_inflow, reserve_inflow, changed_by, restarts, supervisor, executive, paid_by, cards
  FROM books.award
 WHERE link = %(link)s
   AND (status IN ('claimed', 'confirmed') OR id = %(award)s
        OR (table_id = %(table)s AND round = %(round)s)
        OR (table_id, round) IN (SELECT open.table_id, open.round FROM books.award AS open
                                  WHERE open.link = %(link)s AND open.status = 'claimed')
        OR id IN (SELECT changed_by FROM books.award WHERE link = %(link)s AND status = 'claimed'))
 ORDER BY place

-- name: saved_response
-- The body hash and response of the first request with a key; the commit waits until a standby has that one.
SELECT body_hash, answer,
       CASE WHEN current_setting('synchronous_standby_names') <> ''
            THEN pg_logical_emit_message(true, 'feltwork', '') END
  FROM books.idempotency WHERE key = %s

-- name: unique_events
-- The unique events that already happened.
SELECT what, name FROM books.unique_event
 WHERE link = %(link)s
   AND ((what = 'misdeal' AND name = %(misdeal)s) OR (what = 'adjustment' AND name = %(adjustment)s))

-- name: journal_page
-- Entries of a link after a number, as they were booked.
SELECT number, at, kind, fact, hash FROM books.entry WHERE link = %s AND number > %s ORDER BY number LIMIT %s

-- name: read_link
-- Read a link without a lock.
SELECT tail.number, tail.hash, link_state.state, link_state.version, version.body,
       (SELECT coalesce(jsonb_object_agg(balance.account, balance.amount), '{}')
          FROM books.balance WHERE balance.link = tail.link AND account <> 'tray'),
       (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
  FROM books.chain_tail AS tail
  JOIN books.link_state AS link_state USING (link)
  JOIN books.version AS version ON version.link = tail.link AND version.fingerprint = link_state.version
 WHERE tail.link = %s

-- name: save_link_state
-- Save the snapshot of a link after its last entry, and the awards that a command changed.
WITH saved AS (
  UPDATE books.link_state SET number = %(number)s, version = %(version)s, state = %(state)s WHERE link = %(link)s
)
INSERT INTO books.award (link, id, table_id, round, seat, hand, claimed_by, claimed_at, status, level, from_meter,
                         from_house, seed, reserve, locked, lock_number, first_lock, meter_inflow, reserve_inflow,
                         changed_by, restarts, supervisor, executive, paid_by, cards)
SELECT %(link)s, id, table_id, round, seat, hand, claimed_by, claimed_at, status, level, from_meter, from_house, seed,
       reserve, locked, lock_number, first_lock, meter_inflow, reserve_inflow, changed_by, restarts, supervisor,
       executive, paid_by, cards
  FROM jsonb_populate_recordset(NULL::books.award, %(awards)s)
ON CONFLICT (link, id) DO UPDATE
   SET status = excluded.status, level = excluded.level, from_meter = excluded.from_meter,
       from_house = excluded.from_house, seed = excluded.seed, reserve = excluded.reserve,
       locked = excluded.locked, lock_number = excluded.lock_number, first_lock = excluded.first_lock,
       meter_inflow = excluded.meter_inflow, reserve_inflow = excluded.reserve_inflow,
       changed_by = excluded.changed_by, restarts = excluded.restarts, supervisor = excluded.supervisor,
       executive = excluded.executive, paid_by = excluded.paid_by, cards = excluded.cards

-- name: lock_link
-- Lock a link and read what a command needs.
SELECT number, hash, state, fingerprint, version, balances, now_micros FROM books.lock_link(%s)

-- name: write_audit
-- One line of the audit log.
INSERT INTO books.audit (who, place, what, why, before, after) VALUES (%s, %s, %s, %s, %s, %s)

-- name: player_funds_after
-- What some kinds of accounts held after an entry: the checkpoint before it plus the entries since.
WITH kept AS (
  SELECT number, balances FROM books.checkpoint
   WHERE link = %(link)s AND number <= %(entry)s ORDER BY number DESC LIMIT 1
), moved AS (
  SELECT key AS account, value::bigint AS amount FROM kept, jsonb_each_text(balances)
  UNION ALL
  SELECT posting ->> 0, (posting -> 1)::bigint
    FROM books.entry, jsonb_array_elements(body::jsonb -> 'postings') AS posting
   WHERE entry.link = %(link)s AND entry.number <= %(entry)s
     AND entry.number > coalesce((SELECT number FROM kept), 0)
)
SELECT kind, coalesce(sum(amount), 0)::bigint
  FROM unnest(%(kinds)s::text[]) AS kind LEFT JOIN moved ON split_part(account, '/', 1) = kind
 GROUP BY kind ORDER BY kind

-- name: last_entry_by
-- The last entry of a link that was booked by a moment.
SELECT number FROM books.entry WHERE link = %s AND booked_at <= %s ORDER BY number DESC LIMIT 1

-- name: paid_to_patrons
-- What patrons were paid for awards by the entries of a period, less what reversals took back.
SELECT coalesce(sum((posting -> 1)::bigint), 0)::bigint
  FROM books.entry, jsonb_array_elements(entry.body::jsonb -> 'postings') AS posting
 WHERE entry.link = %(link)s AND entry.kind IN ('Paid', 'Reversed') AND entry.booked_at > %(since)s
   AND entry.number > %(after)s AND entry.number <= %(entry)s AND split_part(posting ->> 0, '/', 1) = 'patrons'
