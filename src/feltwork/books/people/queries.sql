-- name: answer_key_challenge
-- The challenge of a ticket, which nobody gets a second time.
UPDATE books.key_challenge AS asked SET answered_at = clock_timestamp()
  FROM books.person
 WHERE asked.ticket_hash = %s AND answered_at IS NULL AND lapses_at > clock_timestamp()
   AND person.id = asked.person AND person.active
RETURNING asked.person, person.name, person.role, asked.enrolment, asked.challenge, asked.place

-- name: answer_proposal
-- The answer to a proposal; whoever comes second waits and then finds it answered.
INSERT INTO books.approval (proposal, fingerprint, answered_by, approved) VALUES (%s, %s, %s, %s)
ON CONFLICT (proposal) DO NOTHING

-- name: insert_key_challenge
-- A challenge for a key, open for a while.
INSERT INTO books.key_challenge (ticket_hash, person, enrolment, challenge, place, lapses_at)
VALUES (%s, %s, %s, %s, %s, clock_timestamp() + make_interval(secs => %s))

-- name: begin_session
-- A session that ends by itself, and how its person was proved.
INSERT INTO books.session (token_hash, person, place, ends_at, proof)
VALUES (%s, %s, %s, clock_timestamp() + make_interval(secs => %s), %s)

-- name: begin_sign_on
-- A sign-on at a table that ends by itself, and when it does.
INSERT INTO books.sign_on (id_hash, person, role, table_id, ends_at)
VALUES (%s, %s, %s, %s, clock_timestamp() + make_interval(secs => %s))
RETURNING (extract(epoch FROM ends_at) * 1000000)::bigint

-- name: change_person
-- What is given changes, the rest stays.
UPDATE books.person
   SET role = coalesce(%(role)s, role), badge = coalesce(%(badge)s, badge),
       active = coalesce(%(active)s, active), pin_hash = coalesce(%(pin_hash)s, pin_hash),
       password_hash = coalesce(%(password_hash)s, password_hash),
       failed_tries = CASE WHEN %(unlocks)s THEN 0 ELSE failed_tries END,
       locked_until = CASE WHEN %(unlocks)s THEN NULL ELSE locked_until END
 WHERE id = %(id)s

-- name: count_failed_attempt
-- A try that failed, and how long nobody may try again, if at all.
UPDATE books.person
   SET failed_tries = %(tries)s,
       locked_until = CASE WHEN %(locked)s THEN clock_timestamp() + make_interval(secs => %(seconds)s) END
 WHERE id = %(person)s

-- name: end_session
-- A session that is over.
UPDATE books.session SET ended_at = clock_timestamp() WHERE token_hash = %s AND ended_at IS NULL

-- name: end_sessions
-- Every session of somebody is over, but the one that goes on; so is every sign-on at a table.
WITH at_tables AS (
  UPDATE books.sign_on SET ended_at = clock_timestamp() WHERE person = %(person)s AND ended_at IS NULL
)
UPDATE books.session SET ended_at = clock_timestamp()
 WHERE person = %(person)s AND ended_at IS NULL AND token_hash <> %(but)s

-- name: everyone
-- Everybody with a badge, or one of them; secrets are only told to exist.
SELECT person.id, person.name, person.role, coalesce(person.badge, '') AS badge, person.active,
       coalesce(person.locked_until > clock_timestamp(), false) AS locked,
       person.pin_hash IS NOT NULL AS has_pin, person.password_hash IS NOT NULL AS has_password,
       ARRAY(SELECT key.id FROM books.security_key AS key
              WHERE key.person = person.id
                AND NOT EXISTS (SELECT FROM books.security_key_revoked WHERE security_key_revoked.key = key.id)
              ORDER BY key.registered_at) AS keys
  FROM books.person
 WHERE %(badge)s IN ('', person.badge) AND %(id)s IN ('', person.id)
 ORDER BY person.id

-- name: first_person
-- Since when anybody has had access.
SELECT min(registered_at) FROM books.person

-- name: grant_enrolment
-- Somebody may have a new PIN, password or security key, once.
INSERT INTO books.enrolment (id, person, what, granted_by, approved_by, lapses_at)
VALUES (%(id)s, %(person)s, %(what)s, %(granted_by)s, %(approved_by)s,
        clock_timestamp() + make_interval(secs => %(seconds)s))

-- name: open_enrolment
-- Enrolments that wait to be used, the oldest first: of a person, or the one with an id.
SELECT enrolment.id, person, what, granted_by, approved_by
  FROM books.enrolment LEFT JOIN books.enrolment_use ON enrolment_use.enrolment = enrolment.id
 WHERE enrolment_use.enrolment IS NULL AND lapses_at > clock_timestamp()
   AND %(id)s IN ('', enrolment.id) AND %(person)s IN ('', person)
 ORDER BY granted_at

-- name: owns_books
-- Whether the login owns the schema of the books, or is a member of who does.
SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = 'books'

-- name: people_by_badge
-- Who some badges are.
SELECT id, name, role, badge FROM books.person WHERE badge = ANY(%s) AND active ORDER BY role, name

-- name: people_by_role
-- Everybody with a badge in some roles, who works here now.
SELECT id, name, role, badge FROM books.person
 WHERE role = ANY(%s) AND badge IS NOT NULL AND active ORDER BY role DESC, name

-- name: person_by_badge
-- The person with a badge, locked while a try is counted.
SELECT id, name, role, pin_hash, password_hash, failed_tries,
       coalesce(locked_until > clock_timestamp(), false), active
  FROM books.person WHERE badge = %s FOR UPDATE

-- name: proposals
-- Proposals with their answer, the newest first; one of them, or those that still wait.
SELECT proposal.id, command, about, body, proposal.fingerprint, proposed_by, person.role, person.active,
       approval.answered_by, approval.approved, lapses_at <= clock_timestamp()
  FROM books.proposal
  JOIN books.person ON person.id = proposed_by
  LEFT JOIN books.approval ON approval.proposal = proposal.id
 WHERE proposal.id = %(id)s
    OR (%(id)s = '' AND approval.proposal IS NULL AND lapses_at > clock_timestamp())
 ORDER BY proposed_at DESC LIMIT 500

-- name: propose
-- A command that waits for its second person.
INSERT INTO books.proposal (id, command, about, body, fingerprint, proposed_by, lapses_at)
VALUES (%(id)s, %(command)s, %(about)s, %(body)s, %(fingerprint)s, %(by)s,
        clock_timestamp() + make_interval(secs => %(seconds)s))

-- name: register_key
-- A security key of somebody.
INSERT INTO books.security_key (id, person, public_key, enrolment) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING

-- name: register_person
-- A person, new or changed; a new PIN or password ends a lock-out.
INSERT INTO books.person (id, name, role, badge, pin_hash, password_hash)
VALUES (%(id)s, %(name)s, %(role)s, %(badge)s, %(pin_hash)s, %(password_hash)s)
ON CONFLICT (id) DO UPDATE
   SET name = excluded.name, role = excluded.role, badge = excluded.badge, pin_hash = excluded.pin_hash,
       password_hash = excluded.password_hash, failed_tries = 0, locked_until = NULL

-- name: reviews
-- The reviews of access, the newest first.
SELECT number, people, says, reviewed_by, reviewed_at FROM books.access_review ORDER BY number DESC LIMIT 500

-- name: security_key
-- A key, whose it is, and whether it was taken away.
SELECT key.person, key.public_key, taken.key IS NOT NULL
  FROM books.security_key AS key LEFT JOIN books.security_key_revoked AS taken ON taken.key = key.id
 WHERE key.id = %s

-- name: session_person
-- Who a token is, while its session lasts.
SELECT person.id, person.name, person.role, session.place, session.proof
  FROM books.session JOIN books.person ON person.id = session.person
 WHERE session.token_hash = %s AND session.ended_at IS NULL AND session.ends_at > clock_timestamp()
   AND person.active

-- name: sign_ons
-- The sign-ons that are new to the reader, and those of the others that have ended before their time.
SELECT sign_on.id_hash, sign_on.person, person.name, sign_on.role, sign_on.table_id,
       (extract(epoch FROM least(sign_on.ends_at, sign_on.ended_at)) * 1000000)::bigint
  FROM books.sign_on JOIN books.person ON person.id = sign_on.person
 WHERE sign_on.id_hash = ANY (%(new)s) OR (sign_on.id_hash = ANY (%(known)s) AND sign_on.ended_at IS NOT NULL)

-- name: revoke_key
-- A key that opens nothing any more.
INSERT INTO books.security_key_revoked (key, revoked_by, approved_by, why) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING

-- name: use_enrolment
-- An enrolment is used; whoever comes second finds it used.
INSERT INTO books.enrolment_use (enrolment, in_session_of) VALUES (%s, %s) ON CONFLICT DO NOTHING

-- name: use_key
-- A use of a key with its counter.
INSERT INTO books.security_key_use (key, counter) VALUES (%s, %s)

-- name: write_review
-- Somebody has gone through everybody who has access.
INSERT INTO books.access_review (people, says, reviewed_by) VALUES (%s, %s, %s) RETURNING number
