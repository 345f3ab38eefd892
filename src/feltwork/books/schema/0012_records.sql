-- Records beside the journal: the number of who was paid, reviews of who has access, installations that were announced,
-- and how long all of it is kept.

SET ROLE feltwork_owner;

-- The house's own number of the patron, which tells namesakes apart; empty where none was given.
ALTER TABLE books.payout ADD COLUMN patron text NOT NULL DEFAULT '';
GRANT INSERT (patron) ON books.payout TO feltwork_writer;

-- Somebody independent has gone through everybody who has access.
CREATE TABLE books.access_review (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Everybody with role and badge, as they stood then.
  people jsonb NOT NULL,
  says text NOT NULL,
  reviewed_by text NOT NULL REFERENCES books.person,
  reviewed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Software that will be installed or tested live, and the notice that was given of it.
CREATE TABLE books.installation (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  what text NOT NULL,
  begins_at timestamptz NOT NULL,
  notified_at timestamptz NOT NULL CHECK (notified_at <= begins_at),
  notice text NOT NULL,
  planned_by text NOT NULL REFERENCES books.person,
  planned_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- What became of it; once.
CREATE TABLE books.installation_end (
  installation bigint PRIMARY KEY REFERENCES books.installation,
  outcome text NOT NULL CHECK (outcome IN ('done', 'cancelled')),
  says text NOT NULL,
  ended_by text NOT NULL REFERENCES books.person,
  ended_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

SELECT books.make_append_only('books.access_review');
SELECT books.make_append_only('books.installation');
SELECT books.make_append_only('books.installation_end');

-- Every change that people made to a meter or a reserve, with both of them, the reason and the evidence.
CREATE VIEW books.adjustment AS
  SELECT entry.link, entry.number AS entry, entry.booked_at, told.fact ->> 'adjustment' AS adjustment,
         coalesce(told.fact ->> 'reason', '') AS reason, coalesce(told.fact ->> 'text', '') AS text,
         told.fact ->> 'evidence' AS evidence, coalesce(told.fact ->> 'award', '') AS award,
         coalesce(told.fact ->> 'pool', 'meter') AS pool, told.fact ->> 'level' AS level,
         (told.fact ->> 'before')::bigint AS before, (told.fact ->> 'after')::bigint AS after,
         coalesce((told.fact ->> 'after')::bigint - (told.fact ->> 'before')::bigint,
                  (told.fact ->> 'to_meter')::bigint - (told.fact ->> 'seed')::bigint
                  - (told.fact ->> 'reserve')::bigint) AS change,
         told.fact ->> 'by' AS asked_by, told.fact ->> 'approved_by' AS approved_by
    FROM books.entry, LATERAL (SELECT entry.fact::jsonb AS fact) AS told
   WHERE entry.kind ^@ 'Adjusted.' OR entry.kind = 'Reversed';

-- Records of people beside the journal, each with its kind, its time and all that it holds: what is kept for years and
-- goes with an export.
CREATE VIEW books.record AS
  SELECT 'payout' AS kind, written_at AS at, to_jsonb(payout) AS told FROM books.payout
  UNION ALL SELECT 'payout step', done_at, to_jsonb(payout_step) FROM books.payout_step
  UNION ALL SELECT 'incident', opened_at, to_jsonb(incident) FROM books.incident
  UNION ALL SELECT 'incident step', done_at, to_jsonb(incident_step) FROM books.incident_step
  UNION ALL SELECT 'installation', planned_at, to_jsonb(installation) FROM books.installation
  UNION ALL SELECT 'installation end', ended_at, to_jsonb(installation_end) FROM books.installation_end
  UNION ALL SELECT 'access review', reviewed_at, to_jsonb(access_review) FROM books.access_review
  UNION ALL SELECT 'proposal', proposed_at, to_jsonb(proposal) FROM books.proposal
  UNION ALL SELECT 'approval', answered_at, to_jsonb(approval) FROM books.approval
  UNION ALL SELECT 'floor', registered_at, to_jsonb(floor) FROM books.floor;

-- Lets a month of the audit log go once its years are over; nothing else of the books ever goes, since a chain is proved
-- from its first entry. Five years are the least, whatever is asked.
CREATE FUNCTION books.let_month_go(of_table text, month date, years integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first_day date := date_trunc('month', month)::date;
  partition text := format('%s_%s', of_table, to_char(first_day, 'YYYY_MM'));
  kept_until timestamptz := (first_day + interval '1 month' + make_interval(years => greatest(years, 5)))
                            AT TIME ZONE 'UTC';
BEGIN
  IF of_table <> 'audit' THEN
    RAISE EXCEPTION 'books.% stays: a chain is proved from its first entry', of_table
      USING ERRCODE = 'restrict_violation';
  END IF;
  IF kept_until > clock_timestamp() THEN
    RAISE EXCEPTION 'books.% is kept until %', partition, kept_until USING ERRCODE = 'restrict_violation';
  END IF;
  EXECUTE format('DROP TABLE books.%I', partition);
  INSERT INTO books.audit (who, place, what, why)
  VALUES (session_user, 'books', 'month of the audit log let go', format('%s, kept until %s', partition, kept_until));
END
$$;
REVOKE EXECUTE ON FUNCTION books.let_month_go FROM PUBLIC;

GRANT SELECT ON books.record,
  books.access_review, books.installation, books.installation_end, books.adjustment
  TO feltwork_writer, feltwork_reader;
GRANT INSERT (people, says, reviewed_by) ON books.access_review TO feltwork_writer;
GRANT INSERT (what, begins_at, notified_at, notice, planned_by) ON books.installation TO feltwork_writer;
GRANT INSERT (installation, outcome, says, ended_by) ON books.installation_end TO feltwork_writer;
RESET ROLE;
