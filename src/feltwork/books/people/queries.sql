-- name: answer_key_challenge
-- Consume the challenge of a ticket, once.
UPDATE books.key_challenge AS asked SET answered_at = clock_timestamp()
  FROM books.person
 WHERE asked.ticket_hash = %s AND answered_at IS NULL AND lapses_at > clock_timestamp()
   AND person.id = asked.person AND person.active
RETURNING asked.person, person.name, person.role, asked.enrollment, asked.challenge, asked.place

-- name: answer_proposal
-- Save the response to a proposal, once.
INSERT INTO books.approval (proposal, fingerprint, answered_by, approved) VALUES (%s, %s, %s, %s)
ON CONFLICT (proposal) DO NOTHING

-- name: insert_key_challenge
-- A challenge for a key, open for a while.
INSERT INTO books.key_challenge (ticket_hash, person, enrollment, challenge, place, lapses_at)
VALUES (%s, %s, %s, %s, %s, clock_timestamp() + make_interval(secs => %s))

-- name: begin_session
-- Begin a session with an end time and the authentication method.
INSERT INTO books.session (token_hash, person, place, ends_at, proof)
VALUES (%s, %s, %s, clock_timestamp() + make_interval(secs => %s), %s)

-- name: begin_sign_on
-- Begin a sign-on at a table and return its end time.
INSERT INTO books.sign_on (id_hash, person, role, table_id, ends_at)
VALUES (%s, %s, %s, %s, clock_timestamp() + make_interval(secs => %s))
RETURNING (extract(epoch FROM ends_at) * 1000000)::bigint

-- name: change_person
-- Update the given fields of a person.
UPDATE books.person
   SET role = coalesce(%(role)s, role), badge = coalesce(%(badge)s, badge),
       active = coalesce(%(active)s, active), pin_hash = coalesce(%(pin_hash)s, pin_hash),
       password_hash = coalesce(%(password_hash)s, password_hash),
       failed_tries = CASE WHEN %(unlocks)s THEN 0 ELSE failed_tries END,
       locked_until = CASE WHEN %(unlocks)s THEN NULL ELSE locked_until END
 WHERE id = %(id)s

-- name: count_failed_attempt
-- Count a failed attempt and set the lockout, if any.
UPDATE books.person
   SET failed_tries = %(tries)s,
       locked_until = CASE WHEN %(locked)s THEN clock_timestamp() + make_interval(secs => %(seconds)s) END
 WHERE id = %(person)s

-- name: end_session
-- End a session.
UPDATE books.session SET ended_at = clock_timestamp() WHERE token_hash = %s AND ended_at IS NULL

-- name: end_sessions
-- End a person's sessions, except the current one, and sign-ons.
WITH at_tables AS (
  UPDATE books.sign_on SET ended_at = clock_timestamp() WHERE person = %(person)s AND ended_at IS NULL
)
UPDATE books.session SET ended_at = clock_timestamp()
 WHERE person = %(person)s AND ended_at IS NULL AND token_hash <> %(but)s

-- name: everyone
-- All staff, or one person, with whether each secret is set.
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
-- When the first person was registered.
SELECT min(registered_at) FROM books.person

-- name: grant_enrollment
-- Authorize a new PIN, password or security key.
INSERT INTO books.enrollment (id, person, what, granted_by, approved_by, lapses_at)
VALUES (%(id)s, %(person)s, %(what)s, %(granted_by)s, %(approved_by)s,
        clock_timestamp() + make_interval(secs => %(seconds)s))

-- name: open_enrollment
-- Enrollments that wait to be used, the oldest first: of a person, or the one with an id.
SELECT enrollment.id, person, what, granted_by, approved_by
  FROM books.enrollment LEFT JOIN books.enrollment_use ON enrollment_use.enrollment = enrollment.id
 WHERE enrollment_use.enrollment IS NULL AND lapses_at > clock_timestamp()
   AND %(id)s IN ('', enrollment.id) AND %(person)s IN ('', person)
 ORDER BY granted_at

-- name: owns_books
-- Whether the login is a member of the schema owner.
SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = 'books'

-- name: people_by_badge
-- The people with these badges.
SELECT id, name, role, badge FROM books.person WHERE badge = ANY(%s) AND active ORDER BY role, name

-- name: people_by_role
-- Active staff in some roles.
SELECT id, name, role, badge FROM books.person
 WHERE role = ANY(%s) AND badge IS NOT NULL AND active ORDER BY role DESC, name

-- name: person_by_badge
-- The person with a badge, with a row lock while an attempt is counted.
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
-- Save a proposal.
INSERT INTO books.proposal (id, command, about, body, fingerprint, proposed_by, lapses_at)
VALUES (%(id)s, %(command)s, %(about)s, %(body)s, %(fingerprint)s, %(by)s,
        clock_timestamp() + make_interval(secs => %(seconds)s))

-- name: register_key
-- Register a security key.
INSERT INTO books.security_key (id, person, public_key, enrollment) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING

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
-- A security key, its owner, and whether it was revoked.
SELECT key.person, key.public_key, taken.key IS NOT NULL
  FROM books.security_key AS key LEFT JOIN books.security_key_revoked AS taken ON taken.key = key.id
 WHERE key.id = %s

-- name: session_person
-- The open session of a token.
SELECT person.id, person.name, person.role, session.place, session.proof
  FROM books.session JOIN books.person ON person.id = session.person
 WHERE session.token_hash = %s AND session.ended_at IS NULL AND session.ends_at > clock_timestamp()
   AND person.active

-- name: sign_ons
-- Sign-ons unknown to the caller, and known ones that ended early.
SELECT sign_on.id_hash, sign_on.person, person.name, sign_on.role, sign_on.table_id,
       (extract(epoch FROM least(sign_on.ends_at, sign_on.ended_at)) * 1000000)::bigint
  FROM books.sign_on JOIN books.person ON person.id = sign_on.person
 WHERE sign_on.id_hash = ANY (%(new)s) OR (sign_on.id_hash = ANY (%(known)s) AND sign_on.ended_at IS NOT NULL)

-- name: restore_sign_on
-- A sign-on that the books have lost, of a person whom they know.
INSERT INTO books.sign_on (id_hash, person, role, table_id, ends_at)
SELECT %(id_hash)s, id, role, %(table)s, to_timestamp(%(until)s / 1000000.0) FROM books.person WHERE id = %(person)s
ON CONFLICT DO NOTHING

-- name: revoke_key
-- Revoke a security key.
INSERT INTO books.security_key_revoked (key, revoked_by, approved_by, why) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING

-- name: use_enrollment
-- Use an enrollment, once.
INSERT INTO books.enrollment_use (enrollment, in_session_of) VALUES (%s, %s) ON CONFLICT DO NOTHING

-- name: use_key
-- A use of a key with its counter.
INSERT INTO books.security_key_use (key, counter) VALUES (%s, %s)

-- name: write_review
-- Save an access review.
INSERT INTO books.access_review (people, says, reviewed_by) VALUES (%s, %s, %s) RETURNING number
