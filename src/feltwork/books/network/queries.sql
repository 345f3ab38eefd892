-- name: book_sums
-- The sums of the entry that was just appended.
SELECT books.book_sums(%s, %s, %s, %s, %s, %s, %s)

-- name: hash_of_entry
-- The hash of an entry.
SELECT hash FROM books.entry WHERE link = %s AND number = %s

-- name: hub_facts
-- What a hub's members, grants and proposed version are folded from, but for sums.
SELECT number, hash, fact FROM books.entry WHERE link = %s AND kind = ANY (%s) ORDER BY number

-- name: hub_facts_until
-- The same up to an entry.
SELECT number, hash, fact FROM books.entry WHERE link = %s AND kind = ANY (%s) AND number <= %s ORDER BY number

-- name: joined_at
-- When a site first joined, at the hub.
SELECT min(booked_at) FROM books.entry WHERE link = %s AND kind = 'Joined' AND fact::jsonb ->> 'site' = %s

-- name: hub_links
-- Network links that were opened here.
SELECT link_state.link FROM books.link_state
  JOIN books.version ON version.link = link_state.link AND fingerprint = link_state.version
 WHERE jsonb_exists(version.body::jsonb, 'network')
   AND EXISTS (SELECT FROM books.unique_event WHERE unique_event.link = link_state.link AND what = 'opening')
 ORDER BY link_state.link

-- name: aggregator_links
-- Network links that were opened here as an aggregator's, with its name.
SELECT entry.link, entry.fact::jsonb ->> 'site'
  FROM books.unique_event JOIN books.entry USING (link, number)
 WHERE what = 'opening' AND unique_event.kind = 'AggregatorOpened' ORDER BY entry.link

-- name: last_sum
-- The newest sum of a site after one entry and up to another.
SELECT site, entry, encode(hash, 'hex') AS hash, encode(version, 'hex') AS version, wagers, counters
  FROM books.sum WHERE link = %s AND site = %s AND number > %s AND number <= %s ORDER BY number DESC LIMIT 1

-- name: last_sums_at
-- When the newest sum of each site was booked.
SELECT member.site, last.booked_at FROM books.member
 CROSS JOIN LATERAL (SELECT booked_at FROM books.sum
    WHERE sum.link = member.link AND sum.site = member.site ORDER BY number DESC LIMIT 1) AS last
 WHERE member.link = %s

-- name: members_of
-- The sites of a hub, with what is booked of each.
SELECT site, entry, encode(hash, 'hex') AS hash, encode(version, 'hex') AS version, wagers, counters, passed, paid,
       settled, settlements, owes_since, has_left
  FROM books.member WHERE link = %s ORDER BY site

-- name: meter_after
-- The balance of an account after an entry.
SELECT books.balance_after(%s, %s, %s)

-- name: sums_of_entry
-- The sums of one entry.
SELECT site, entry, encode(hash, 'hex') AS hash, encode(version, 'hex') AS version, wagers, counters
  FROM books.sum WHERE link = %s AND number = %s ORDER BY site COLLATE "C"

-- name: sums_booked
-- How many sums of a link are booked.
SELECT count(*) FROM books.sum WHERE link = %s

-- name: site_links
-- Network links that these books have joined, with the name of the site in the last agreement; those opened here are a
-- hub's.
SELECT DISTINCT ON (entry.link) entry.link, entry.fact::jsonb ->> 'site'
  FROM books.link JOIN books.entry ON entry.link = link.id AND entry.kind = 'Joined'
 WHERE NOT EXISTS (SELECT FROM books.unique_event WHERE unique_event.link = link.id AND what = 'opening')
 ORDER BY entry.link, entry.number DESC

-- name: site_contact
-- What a site, or an aggregator, knows of its network: its last agreement, the hub's last snapshot, and its last settlement with whether
-- the hub has booked it.
SELECT joined.fact ->> 'site' AS site, joined.fact ->> 'agreement' AS agreement, (joined.fact ->> 'limit')::bigint AS limit,
       heard.entry AS hub_entry, heard.hash AS hub_hash, heard.heard_at, heard.allows_until,
       coalesce((settled.fact ->> 'number')::bigint, 0) AS settlements,
       CASE WHEN settled.fact IS NOT NULL AND NOT EXISTS (
         SELECT FROM books.entry WHERE link = %(link)s AND kind = 'Acknowledged' AND entry.number > settled.number
            AND fact::jsonb ->> 'what' = 'settled' AND fact::jsonb ->> 'name' = settled.fact ->> 'number'
       ) THEN (settled.fact ->> 'amount')::bigint END AS settling
  FROM (SELECT fact::jsonb AS fact FROM books.entry WHERE link = %(link)s AND kind IN ('Joined', 'AggregatorOpened')
         -- What joins at an aggregator is a site below it.
         ORDER BY kind = 'AggregatorOpened' DESC, number DESC LIMIT 1) AS joined
  JOIN books.hub_snapshot AS heard ON heard.link = %(link)s
  LEFT JOIN LATERAL (SELECT number, fact::jsonb AS fact FROM books.entry WHERE link = %(link)s AND kind = 'Settled'
                      ORDER BY number DESC LIMIT 1) AS settled ON true

-- name: site_facts
-- Entries of some kinds after a number, in order.
SELECT number, fact FROM books.entry WHERE link = %s AND kind = ANY (%s) AND number > %s ORDER BY number

-- name: site_awards
-- The awards of a link that are not settled, and some by name.
SELECT id, table_id, round, seat, hand, claimed_by, claimed_at, status, level, from_meter, from_house, seed,
       reserve, locked, lock_number, first_lock, meter_inflow, reserve_inflow, restarts, least, supervisor, executive,
       paid_by, cards
  FROM books.award WHERE link = %s AND (status IN ('claimed', 'confirmed') OR id = ANY (%s)) ORDER BY place

-- name: save_hub_snapshot
-- Keep the newest snapshot of a hub.
INSERT INTO books.hub_snapshot AS had (link, entry, hash, at, heard_at, version, change, is_open, meters)
VALUES (%(link)s, %(entry)s, %(hash)s, %(at)s, %(heard_at)s, %(version)s, %(change)s, %(is_open)s, %(meters)s)
ON CONFLICT (link) DO UPDATE
   SET entry = excluded.entry, hash = excluded.hash, at = excluded.at, heard_at = excluded.heard_at,
       version = excluded.version, change = excluded.change, is_open = excluded.is_open, meters = excluded.meters
 WHERE (had.entry, had.at) <= (excluded.entry, excluded.at)

-- name: allow_wagers
-- Until when a site may take wagers.
UPDATE books.hub_snapshot SET allows_until = %s WHERE link = %s AND allows_until <> %s

-- name: open_round_of_link
-- A table whose last round is not over.
SELECT table_id FROM books.booked_rounds
 WHERE link = %s
   AND NOT EXISTS (SELECT FROM books.booked_round_ends AS ended
                    WHERE ended.link = booked_rounds.link AND ended.table_id = booked_rounds.table_id
                      AND ended.booked @> upper(booked_rounds.booked) - 1)
   AND NOT EXISTS (SELECT FROM books.unique_event
                    WHERE unique_event.link = booked_rounds.link AND what = 'misdeal'
                      AND name = table_id || '/' || upper(booked_rounds.booked) - 1)
 LIMIT 1
