-- People, what they asked for, and the answers they got.

SET ROLE feltwork_owner;

CREATE TABLE books.person (
  id text PRIMARY KEY,
  name text NOT NULL,
  role text NOT NULL,
  badge text UNIQUE,
  -- argon2 hashes; a badge is a name, the PIN is the secret.
  pin_hash text,
  password_hash text,
  failed_tries integer NOT NULL DEFAULT 0,
  locked_until timestamptz,
  active boolean NOT NULL DEFAULT true,
  registered_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE books.session (
  -- SHA-256 of the token: who reads this table cannot sign in with it.
  token_hash text PRIMARY KEY,
  person text NOT NULL REFERENCES books.person,
  place text NOT NULL,
  began_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ends_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE INDEX session_by_person ON books.session (person);

-- Who has signed on at a table with badge and PIN: messages of its controller carry the id.
CREATE TABLE books.sign_on (
  -- SHA-256 of the id: who reads this table cannot send messages with it.
  id_hash text PRIMARY KEY,
  person text NOT NULL REFERENCES books.person,
  -- The role at that time. Another role ends the sign-on; messages from before the change are still allowed.
  role text NOT NULL,
  table_id text NOT NULL,
  began_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ends_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE INDEX sign_on_by_person ON books.sign_on (person);

-- Everything that a person or device asks: who, where, what, why, before, after.
CREATE TABLE books.audit (
  id bigint GENERATED ALWAYS AS IDENTITY,
  who text NOT NULL,
  place text NOT NULL,
  what text NOT NULL,
  why text NOT NULL,
  before jsonb,
  after jsonb,
  booked_at timestamptz NOT NULL DEFAULT clock_timestamp()
) PARTITION BY RANGE (booked_at);
CREATE INDEX audit_by_time ON books.audit (booked_at);

-- The first answer to a request; the same request again gets it again, another under its key is refused.
CREATE TABLE books.idempotency (
  key text PRIMARY KEY,
  body_hash text NOT NULL,
  answer jsonb,
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Floor files as they were registered. A floor takes effect link by link, each while it is suspended [GEN-06].
CREATE TABLE books.floor (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  fingerprint text NOT NULL UNIQUE,
  body text NOT NULL,
  registered_by text NOT NULL,
  approved_by text NOT NULL CHECK (approved_by <> registered_by),
  registered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT body_is_what_was_hashed CHECK (fingerprint = encode(sha256(convert_to(body, 'UTF8')), 'hex'))
);

SELECT books.make_append_only('books.audit');
SELECT books.make_append_only('books.floor');
SELECT books.partition_by_month('audit');

GRANT SELECT, INSERT ON books.person, books.session, books.sign_on, books.idempotency, books.floor
  TO feltwork_writer;
GRANT UPDATE (name, role, badge, pin_hash, password_hash, failed_tries, locked_until, active)
  ON books.person TO feltwork_writer;
GRANT UPDATE (ended_at, ends_at) ON books.session TO feltwork_writer;
GRANT UPDATE (ended_at) ON books.sign_on TO feltwork_writer;
GRANT UPDATE (answer) ON books.idempotency TO feltwork_writer;
GRANT SELECT ON books.audit, books.floor TO feltwork_writer, feltwork_reader;
GRANT INSERT (who, place, what, why, before, after) ON books.audit TO feltwork_writer;
GRANT SELECT (id, name, role, badge, failed_tries, locked_until, active, registered_at)
  ON books.person TO feltwork_reader;

SELECT books.make_partitions(current_date, 13);
RESET ROLE;
