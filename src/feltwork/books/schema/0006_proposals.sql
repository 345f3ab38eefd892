-- Commands of two people: what one has proposed, and the one answer that a second person gave.

SET ROLE feltwork_owner;

CREATE TABLE books.proposal (
  id text PRIMARY KEY,
  command text NOT NULL,
  about text NOT NULL,
  body jsonb NOT NULL,
  -- SHA-256 over the exact command: what the second person approves.
  fingerprint text NOT NULL UNIQUE,
  proposed_by text NOT NULL REFERENCES books.person,
  proposed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  lapses_at timestamptz NOT NULL
);

-- A proposal is answered once, by somebody else.
CREATE TABLE books.approval (
  proposal text PRIMARY KEY REFERENCES books.proposal,
  fingerprint text NOT NULL REFERENCES books.proposal (fingerprint),
  answered_by text NOT NULL REFERENCES books.person,
  approved boolean NOT NULL,
  answered_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE FUNCTION books.approve_other() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = books, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM books.proposal WHERE id = NEW.proposal AND fingerprint = NEW.fingerprint) THEN
    RAISE EXCEPTION 'proposal %: the approval is of another command', NEW.proposal
      USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.approved AND EXISTS (
      SELECT FROM books.proposal WHERE id = NEW.proposal AND proposed_by = NEW.answered_by) THEN
    RAISE EXCEPTION 'proposal %: nobody approves their own command', NEW.proposal
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER approve_other BEFORE INSERT ON books.approval FOR EACH ROW EXECUTE FUNCTION books.approve_other();
ALTER TABLE books.approval ENABLE ALWAYS TRIGGER approve_other;

SELECT books.make_append_only('books.proposal');
SELECT books.make_append_only('books.approval');

GRANT SELECT ON books.proposal, books.approval TO feltwork_writer, feltwork_reader;
GRANT INSERT (id, command, about, body, fingerprint, proposed_by, lapses_at) ON books.proposal TO feltwork_writer;
GRANT INSERT (proposal, fingerprint, answered_by, approved) ON books.approval TO feltwork_writer;
RESET ROLE;

-- Whoever serves the books looks whether their schema is the one it knows.
GRANT SELECT ON feltwork_schema TO feltwork_writer, feltwork_reader;
