-- name: book_sums
-- The sums of the entry that was just appended.
SELECT books.book_sums(%s, %s, %s, %s, %s, %s, %s)

-- name: emit_barrier
-- Something to commit: with a synchronous standby, its commit waits for everything before it too.
SELECT pg_logical_emit_message(true, 'feltwork', '')

-- name: hash_of_entry
-- The hash of an entry.
SELECT hash FROM books.entry WHERE link = %s AND number = %s

-- name: hub_facts
-- What a hub's members, grants and proposed version are folded from, but for sums.
SELECT number, hash, fact FROM books.entry WHERE link = %s AND kind = ANY (%s) ORDER BY number

-- name: hub_facts_until
-- The same up to an entry.
SELECT number, hash, fact FROM books.entry WHERE link = %s AND kind = ANY (%s) AND number <= %s ORDER BY number

-- name: hub_links
-- Network links that were opened here.
SELECT link_state.link FROM books.link_state
  JOIN books.version ON version.link = link_state.link AND fingerprint = link_state.version
 WHERE jsonb_exists(version.body::jsonb, 'network')
   AND EXISTS (SELECT FROM books.unique_event WHERE unique_event.link = link_state.link AND what = 'opening')
 ORDER BY link_state.link

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
