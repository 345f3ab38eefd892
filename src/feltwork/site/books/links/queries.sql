-- name: begin_chain
-- A chain that is still empty, and the state before the first fact.
WITH tail AS (INSERT INTO books.chain_tail (link) VALUES (%(link)s))
INSERT INTO books.link_state (link, version, state) VALUES (%(link)s, %(version)s, %(state)s)

-- name: chain_ends
-- The last entry of every link.
SELECT link, number FROM books.chain_tail ORDER BY link

-- name: change_feed_position
-- The last published entry of a link.
SELECT number FROM books.change_feed_position WHERE link = %s

-- name: award_changes
-- Claim results after the last published entry.
SELECT number, fact FROM books.entry
 WHERE link = %(link)s AND number > %(after)s
   AND kind = ANY ('{Claimed,Locked,Confirmed,Voided,Paid,Reversed}')
 ORDER BY number LIMIT %(most)s

-- name: save_change_feed_position
-- Save the last published entry of a link; it never decreases.
INSERT INTO books.change_feed_position AS had (link, number) VALUES (%s, %s)
ON CONFLICT (link) DO UPDATE SET number = excluded.number WHERE had.number < excluded.number

-- name: stream_position
-- Which run of which database answers, and how far a stream is booked in it.
SELECT pg_postmaster_start_time(), pg_database.oid, position.sequence
  FROM pg_database LEFT JOIN books.stream_position AS position
    ON position.link = %s AND position.domain = %s AND position.stream_created = %s
 WHERE datname = current_database()

-- name: save_stream_position
-- Save how far a stream is booked; it decreases only with a new stream.
INSERT INTO books.stream_position AS had (link, domain, stream_created, sequence) VALUES (%s, %s, %s, %s)
ON CONFLICT (link, domain) DO UPDATE SET stream_created = excluded.stream_created, sequence = excluded.sequence
 WHERE had.stream_created <> excluded.stream_created OR had.sequence < excluded.sequence

-- name: register_link
-- A link that is not known yet.
INSERT INTO books.link (id, kind) VALUES (%s, %s) ON CONFLICT DO NOTHING

-- name: register_version
-- A configuration that a link may get.
INSERT INTO books.version (link, fingerprint, body, registered_by) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING

-- name: stops_of
-- Why a link was stopped, the last reason of each cause last.
SELECT fact::jsonb ->> 'cause', fact::jsonb ->> 'reason' FROM books.entry
 WHERE link = %s AND kind = 'Stopped' ORDER BY number

-- name: version_in_force
-- The version that a link has now.
SELECT version.body, version.fingerprint
  FROM books.link_state JOIN books.version ON version.link = link_state.link AND version.fingerprint = link_state.version
 WHERE link_state.link = %s
