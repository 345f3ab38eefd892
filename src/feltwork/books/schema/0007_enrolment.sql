-- What somebody may prove themselves with: granted by two people, used once; and the security keys of the office.

SET ROLE feltwork_owner;

-- How somebody proved themselves when the session began.
ALTER TABLE books.session ADD COLUMN proof text NOT NULL DEFAULT 'PIN'
  CHECK (proof IN ('PIN', 'password', 'security key'));

-- Two people let a third have a new PIN, password or security key. The secret itself is never part of it.
CREATE TABLE books.enrolment (
  id text PRIMARY KEY,
  person text NOT NULL REFERENCES books.person,
  what text NOT NULL CHECK (what IN ('PIN', 'password', 'security key')),
  granted_by text NOT NULL,
  approved_by text NOT NULL CHECK (approved_by <> granted_by),
  granted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  lapses_at timestamptz NOT NULL
);
CREATE INDEX enrolment_by_person ON books.enrolment (person);

-- An enrolment is used once.
CREATE TABLE books.enrolled (
  enrolment text PRIMARY KEY REFERENCES books.enrolment,
  in_session_of text NOT NULL,
  enrolled_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Public keys only: who reads this table cannot sign in with it.
CREATE TABLE books.security_key (
  id text PRIMARY KEY,
  person text NOT NULL REFERENCES books.person,
  public_key bytea NOT NULL,
  enrolment text NOT NULL UNIQUE REFERENCES books.enrolled,
  registered_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX security_key_by_person ON books.security_key (person);

-- Each use with the counter of the key. A counter that does not go forward is a copy of the key.
CREATE TABLE books.security_key_use (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text NOT NULL REFERENCES books.security_key,
  counter bigint NOT NULL CHECK (counter >= 0),
  used_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX security_key_use_by_key ON books.security_key_use (key, counter);

CREATE FUNCTION books.counter_goes_forward() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = books, pg_temp AS $$
DECLARE
  last bigint;
BEGIN
  PERFORM FROM books.security_key WHERE id = NEW.key FOR UPDATE;
  SELECT max(counter) INTO last FROM books.security_key_use WHERE key = NEW.key;
  -- Some keys do not count; they always say zero.
  IF NEW.counter <= last AND (NEW.counter, last) <> (0, 0) THEN
    RAISE EXCEPTION 'security key %: its counter went from % to %', NEW.key, last, NEW.counter
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER forward BEFORE INSERT ON books.security_key_use
  FOR EACH ROW EXECUTE FUNCTION books.counter_goes_forward();
ALTER TABLE books.security_key_use ENABLE ALWAYS TRIGGER forward;

-- A key that was lost or copied opens nothing any more.
CREATE TABLE books.security_key_taken (
  key text PRIMARY KEY REFERENCES books.security_key,
  taken_by text NOT NULL,
  approved_by text NOT NULL CHECK (approved_by <> taken_by),
  why text NOT NULL,
  taken_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- What a key is asked to sign; answered once, by whoever holds the ticket whose hash this is.
CREATE TABLE books.key_challenge (
  ticket_hash text PRIMARY KEY,
  person text NOT NULL REFERENCES books.person,
  enrolment text REFERENCES books.enrolment,
  challenge bytea NOT NULL,
  place text NOT NULL,
  lapses_at timestamptz NOT NULL,
  answered_at timestamptz
);

SELECT books.make_append_only('books.enrolment');
SELECT books.make_append_only('books.enrolled');
SELECT books.make_append_only('books.security_key');
SELECT books.make_append_only('books.security_key_use');
SELECT books.make_append_only('books.security_key_taken');

GRANT SELECT ON books.enrolment, books.enrolled, books.security_key, books.security_key_use,
  books.security_key_taken TO feltwork_writer, feltwork_reader;
GRANT INSERT (id, person, what, granted_by, approved_by, lapses_at) ON books.enrolment TO feltwork_writer;
GRANT INSERT (enrolment, in_session_of) ON books.enrolled TO feltwork_writer;
GRANT INSERT (id, person, public_key, enrolment) ON books.security_key TO feltwork_writer;
GRANT INSERT (key, counter) ON books.security_key_use TO feltwork_writer;
GRANT INSERT (key, taken_by, approved_by, why) ON books.security_key_taken TO feltwork_writer;
GRANT SELECT, INSERT ON books.key_challenge TO feltwork_writer;
GRANT UPDATE (answered_at) ON books.key_challenge TO feltwork_writer;
RESET ROLE;
