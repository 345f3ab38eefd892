-- What whoever keeps the books remembers beside them: alarms, what tables have been told, what was last checked.

SET ROLE feltwork_owner;

-- Something that people must look at: a number that a table left out, a message that nobody can read. One is
-- open for each kind and place; each change of it is a line of the audit log too.
CREATE TABLE books.alarm (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  place text NOT NULL,
  told jsonb NOT NULL,
  raised_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  cleared_at timestamptz,
  cleared_by text,
  CHECK ((cleared_at IS NULL) = (cleared_by IS NULL))
);
CREATE UNIQUE INDEX alarm_open ON books.alarm (kind, place) WHERE cleared_at IS NULL;
CREATE TRIGGER never_removed BEFORE DELETE ON books.alarm FOR EACH ROW EXECUTE FUNCTION books.refuse_change();

-- Up to which entry of a link the tables have been told what became of their claims.
CREATE TABLE books.news (
  link text PRIMARY KEY REFERENCES books.link,
  number bigint NOT NULL
);

-- Up to which entry a link was last checked, and what its accounts held there: the next check folds the rest.
CREATE TABLE books.checked (
  link text PRIMARY KEY REFERENCES books.link,
  number bigint NOT NULL,
  hash text NOT NULL,
  balances jsonb NOT NULL,
  checked_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

GRANT SELECT ON books.alarm, books.news, books.checked TO feltwork_writer, feltwork_reader;
GRANT INSERT (kind, place, told) ON books.alarm TO feltwork_writer;
GRANT UPDATE (told, cleared_at, cleared_by) ON books.alarm TO feltwork_writer;
GRANT INSERT, UPDATE ON books.news, books.checked TO feltwork_writer;
RESET ROLE;
