-- name: answer_key_challenge
-- Consume the challenge of a ticket, once.
UPDATE books.key_challenge AS asked SET answered_at = clock_timestamp()
  FROM books.person
 WHERE asked.ticket_hash = %s AND answered_at IS NULL AND lapses_at > clock_timestamp()
   AND person.id = asked.person AND person.active
RETURNING person.id, person.name, person.role, asked.enrollment, asked.challenge, asked.place

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
RETURNING (extract(epoch FROM began_at) * 1000000)::bigint, (extract(epoch FROM ends_at) * 1000000)::bigint

-- name: change_person
-- Update the given fields of a person.
UPDATE books.person
   SET role = coalesce(%(role)s, role), badge = coalesce(%(badge)s, badge),
       active = coalesce(%(active)s, active), pin_hash = coalesce(%(pin_hash)s, pin_hash),
       pin_is_granted = coalesce(%(pin_is_granted)s, pin_is_granted),
       password_hash = coalesce(%(password_hash)s, password_hash)
 WHERE id = %(id)s

-- name: choose_language
-- Keep the language that a person has chosen.
INSERT INTO books.person_language (person, language) VALUES (%s, %s)
ON CONFLICT (person) DO UPDATE SET language = excluded.language

-- name: count_failed_attempt
-- Count a failed attempt of a person at a source, and lock them there for some seconds, if any.
INSERT INTO books.sign_in_source (person, source, failed_tries, failed_at, locked_until)
VALUES (%(person)s, %(source)s, %(tries)s, clock_timestamp(),
        clock_timestamp() + make_interval(secs => nullif(%(seconds)s, 0)))
ON CONFLICT (person, source) DO UPDATE
   SET failed_tries = excluded.failed_tries, failed_at = excluded.failed_at, locked_until = excluded.locked_until

-- name: count_right_attempt
-- Remember a source that a person has proved themselves at, once an hour and after failed tries.
INSERT INTO books.sign_in_source (person, source, proved_at) VALUES (%(person)s, %(source)s, clock_timestamp())
ON CONFLICT (person, source) DO UPDATE
   SET failed_tries = 0, locked_until = NULL, proved_at = excluded.proved_at
 WHERE sign_in_source.failed_tries > 0 OR sign_in_source.proved_at IS NULL
    OR sign_in_source.proved_at < clock_timestamp() - interval '1 hour'

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
       EXISTS (SELECT FROM books.sign_in_source AS tried
                WHERE tried.person = person.id AND tried.locked_until > clock_timestamp()) AS locked,
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
-- The person with a badge, with a row lock while an attempt is counted: their tries at this source, whether it is locked,
-- and how often unknown sources were wrong within the last hour, if this is one.
SELECT id, name, role, pin_hash, pin_is_granted, password_hash, active, coalesce(tried.failed_tries, 0),
       coalesce(tried.locked_until > clock_timestamp(), false),
       CASE WHEN tried.proved_at IS NULL THEN (
         SELECT coalesce(sum(failed_tries), 0) FROM books.sign_in_source
          WHERE person = books.person.id AND proved_at IS NULL
            AND failed_at > clock_timestamp() - interval '1 hour') ELSE 0 END
  FROM books.person LEFT JOIN books.sign_in_source AS tried ON tried.person = id AND tried.source = %(source)s
 WHERE badge = %(badge)s FOR UPDATE OF person

-- name: proposals
-- Proposals with their answer, the newest first; one of them, or those that still wait.
SELECT proposal.id AS proposal, command, about, body, proposal.fingerprint, proposed_by, proposed_at, person.role,
       person.active, approval.answered_by, approval.approved, lapses_at <= clock_timestamp() AS lapsed
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

-- name: rehash_secret
-- Replace the hash of a PIN or password by one with a key.
UPDATE books.person SET pin_hash = coalesce(%(pin_hash)s, pin_hash),
                        password_hash = coalesce(%(password_hash)s, password_hash)
 WHERE id = %(id)s

-- name: register_key
-- Register a security key.
INSERT INTO books.security_key (id, person, public_key, enrollment) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING

-- name: register_person
-- A person, new or changed; a new PIN or password ends a lock-out.
INSERT INTO books.person (id, name, role, badge, pin_hash, pin_is_granted, password_hash)
VALUES (%(id)s, %(name)s, %(role)s, %(badge)s, %(pin_hash)s, %(pin_is_granted)s, %(password_hash)s)
ON CONFLICT (id) DO UPDATE
   SET name = excluded.name, role = excluded.role, badge = excluded.badge, pin_hash = excluded.pin_hash,
       pin_is_granted = excluded.pin_is_granted, password_hash = excluded.password_hash

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
SELECT person.id, person.name, person.role, coalesce(person.badge, '') AS badge, session.place, session.proof,
       extract(epoch FROM clock_timestamp() - session.active_at)::float8 AS idle_seconds,
       coalesce(chosen.language, '') AS language
  FROM books.session JOIN books.person ON person.id = session.person
  LEFT JOIN books.person_language AS chosen ON chosen.person = person.id
 WHERE session.token_hash = %s AND session.ended_at IS NULL AND session.ends_at > clock_timestamp()
   AND person.active

-- name: sign_ons
-- Sign-ons unknown to the caller, and known ones that ended early.
SELECT sign_on.id_hash, sign_on.person, person.name, sign_on.role, sign_on.table_id,
       (extract(epoch FROM sign_on.began_at) * 1000000)::bigint,
       (extract(epoch FROM least(sign_on.ends_at, sign_on.ended_at)) * 1000000)::bigint
  FROM books.sign_on JOIN books.person ON person.id = sign_on.person
 WHERE sign_on.id_hash = ANY (%(new)s) OR (sign_on.id_hash = ANY (%(known)s) AND sign_on.ended_at IS NOT NULL)

-- name: restore_sign_on
-- A sign-on that the books have lost, of a person whom they know.
INSERT INTO books.sign_on (id_hash, person, role, table_id, began_at, ends_at)
SELECT %(id_hash)s, id, role, %(table)s, to_timestamp(%(began)s / 1000000.0), to_timestamp(%(until)s / 1000000.0)
  FROM books.person WHERE id = %(person)s
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

-- name: keep_active
-- Note that somebody uses a session, where that was not noted a moment ago.
UPDATE books.session SET active_at = clock_timestamp()
 WHERE token_hash = %s AND active_at < clock_timestamp() - interval '5 seconds'

-- name: last_approved
-- When two people last did this to a person.
SELECT max(answered_at)
  FROM books.approval
  JOIN books.proposal ON proposal.id = approval.proposal
 WHERE approved AND about = %s AND body ->> 'act' = %s

-- name: release_approved
-- Whether two people approved this release.
SELECT EXISTS (
  SELECT FROM books.approval
    JOIN books.proposal ON proposal.id = approval.proposal
   WHERE approved AND command = 'install' AND body ->> 'release' = %s)

-- name: lock_session
-- Lock a session until its person enters the PIN again.
UPDATE books.session SET active_at = 'epoch' WHERE token_hash = %s

-- name: unlock_person
-- End every lock of a person.
UPDATE books.sign_in_source SET failed_tries = 0, locked_until = NULL WHERE person = %s

-- name: unkeyed_people
-- How many people have a secret whose hash does not begin with the id of this key.
SELECT count(*) FROM books.person
 WHERE NOT coalesce(starts_with(pin_hash, %(key)s), true) OR NOT coalesce(starts_with(password_hash, %(key)s), true)

-- name: people_on_duty
-- Open sessions and sign-ons at tables: who is where since when, and when they last did something.
SELECT place, person.id AS person, person.name, person.role, min(began_at) AS since, max(active_at) AS active_at
  FROM (SELECT person, place, began_at, active_at FROM books.session
         WHERE ended_at IS NULL AND ends_at > clock_timestamp()
        UNION ALL
        SELECT person, 'table ' || table_id, began_at, NULL FROM books.sign_on
         WHERE ended_at IS NULL AND ends_at > clock_timestamp()) AS present
  JOIN books.person ON person.id = present.person AND person.active
 GROUP BY place, person.id, person.name, person.role ORDER BY place, person.name

-- name: service_accounts
-- Every service account, or the one of a name.
SELECT id, name, scopes, tables, active FROM books.service_account WHERE %(id)s IN ('', id) ORDER BY id

-- name: service_tokens
-- Every token without its hash, the newest first.
SELECT service_account, id, made_by, made_at, expires_at, revoked_at, revoked_by, last_used_at, last_source
  FROM books.service_token ORDER BY made_at DESC, id

-- name: save_service_account
-- Add a service account, or change what it may do.
INSERT INTO books.service_account (id, name, scopes, tables, active)
VALUES (%(id)s, %(name)s, %(scopes)s, %(tables)s, %(active)s)
ON CONFLICT (id) DO UPDATE SET scopes = excluded.scopes, tables = excluded.tables, active = excluded.active

-- name: make_service_token
-- Keep the hash of a token, one for each grant.
INSERT INTO books.service_token (id, service_account, token_hash, proposal, made_by, expires_at)
VALUES (%(id)s, %(account)s, %(hash)s, %(proposal)s, %(by)s, clock_timestamp() + make_interval(days => %(days)s))
ON CONFLICT (proposal) DO NOTHING

-- name: revoke_service_token
-- Revoke a token, once.
UPDATE books.service_token SET revoked_at = clock_timestamp(), revoked_by = %(by)s
 WHERE service_account = %(account)s AND id = %(id)s AND revoked_at IS NULL

-- name: service_token_use
-- The service account of a token, whether it is in force, and whether this use is noted and audited already.
SELECT token.service_account,
       account.active AND token.revoked_at IS NULL AND token.expires_at > clock_timestamp(),
       coalesce(use.is_known AND token.last_used_at > clock_timestamp() - interval '1 minute', false),
       coalesce(use.is_known AND token.last_used_at > clock_timestamp() - interval '1 hour', false),
       token.id
  FROM books.service_token AS token
  JOIN books.service_account AS account ON account.id = token.service_account
 CROSS JOIN LATERAL least(token.revoked_at, token.expires_at) AS ended
 CROSS JOIN LATERAL (SELECT token.last_source = %(source)s
                        AND (ended > clock_timestamp() OR token.last_used_at > ended)) AS use (is_known)
 WHERE token.token_hash = %(hash)s

-- name: note_service_token_use
-- Note when and from where a token was used.
UPDATE books.service_token SET last_used_at = clock_timestamp(), last_source = %(source)s
 WHERE token_hash = %(hash)s

-- name: open_token_grants
-- The grants of tokens that a person has approved, and that made no token yet.
SELECT proposal.id AS "grant", body ->> 'service_account' AS service_account
  FROM books.proposal
  JOIN books.approval ON approval.proposal = proposal.id AND approved AND answered_by = %s
 WHERE body ->> 'act' = 'grant_token' AND lapses_at > clock_timestamp()
   AND NOT EXISTS (SELECT FROM books.service_token AS made WHERE made.proposal = proposal.id)
 ORDER BY proposed_at

-- name: lock_training
-- One command of a trainee at a time.
SELECT pg_advisory_xact_lock(hashtextextended('training/' || %s, 0))

-- name: issue_exercise
-- Record an exercise that was dealt to a trainee.
INSERT INTO books.training_exercise (person, course, seed, questions) VALUES (%s, %s, %s, %s) RETURNING number

-- name: training_exercise
-- A trainee's exercise with its open question: the one of a number, or the last in a course.
SELECT exercise.number, exercise.course, exercise.seed, exercise.questions,
       (SELECT count(*) FROM books.training_answer AS answer
         WHERE answer.exercise = exercise.number AND settled) AS place
  FROM books.training_exercise AS exercise
 WHERE exercise.person = %(person)s AND (exercise.number = %(number)s OR exercise.course = %(course)s)
 ORDER BY exercise.number DESC LIMIT 1

-- name: answer_exercise
-- Record a graded answer.
INSERT INTO books.training_answer (exercise, place, answer, correct, settled) VALUES (%s, %s, %s, %s, %s) RETURNING number

-- name: newest_answers
-- The newest answers of a trainee in a course up to one of them: which were correct, the newest first.
SELECT answer.correct
  FROM books.training_answer AS answer JOIN books.training_exercise AS exercise ON exercise.number = answer.exercise
 WHERE exercise.person = %(person)s AND exercise.course = %(course)s AND answer.number <= %(until)s
 ORDER BY answer.number DESC LIMIT %(limit)s

-- name: complete_course
-- Record that a trainee has completed a course, once.
INSERT INTO books.training_completion (person, course, last_answer, answers, correct, rules)
SELECT person, course, %(last_answer)s, answers, correct, %(rules)s
  FROM books.training_progress WHERE person = %(person)s AND course = %(course)s
ON CONFLICT DO NOTHING

-- name: training_completion
-- A completed course.
SELECT completion.number, completion.person, person.name, completion.course, completion.last_answer,
       completion.answers, completion.correct, completion.rules, completion.completed_at
  FROM books.training_completion AS completion JOIN books.person ON person.id = completion.person
 WHERE completion.number = %s

-- name: training_progress
-- The progress of every trainee, or of one.
SELECT progress.person, person.name, course, exercises, answers, correct, in_a_row, last_answered_at, completion,
       completed_at
  FROM books.training_progress AS progress JOIN books.person ON person.id = progress.person
 WHERE %(person)s IN ('', progress.person)
 ORDER BY person.name, progress.person, course
