-- Payout records with their check-lists, and incidents with the time to tell the regulator.

SET ROLE feltwork_owner;

-- Written once for a confirmed award, before the money moves: who is paid, what was shown, what the tax rules ask.
CREATE TABLE books.payout (
  link text NOT NULL,
  award text NOT NULL,
  amount bigint NOT NULL CHECK (amount >= 0),
  cards text NOT NULL,
  payee text NOT NULL,
  -- Which documents were shown; the documents themselves are no business of the books.
  identity jsonb NOT NULL,
  -- The check-list by the rules of the day, with the time by which each line is due.
  steps jsonb NOT NULL,
  -- The tax record: what is asked for, why, and what is held back.
  flags jsonb NOT NULL,
  withheld bigint NOT NULL CHECK (withheld >= 0),
  written_by text NOT NULL,
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (link, award),
  FOREIGN KEY (link, award) REFERENCES books.award (link, id)
);

-- A line of the check-list that was done; once.
CREATE TABLE books.payout_step (
  link text NOT NULL,
  award text NOT NULL,
  step text NOT NULL,
  note text NOT NULL,
  done_by text NOT NULL,
  done_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (link, award, step),
  FOREIGN KEY (link, award) REFERENCES books.payout
);

-- A malfunction, and by when the regulator must hear of it; null where no time is set [WA-32].
CREATE TABLE books.incident (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  link text NOT NULL,
  table_id text NOT NULL,
  what text NOT NULL,
  learned_at timestamptz NOT NULL,
  notify_by timestamptz,
  opened_by text NOT NULL,
  opened_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- What became of it: the regulator was told, it is closed.
CREATE TABLE books.incident_step (
  incident bigint NOT NULL REFERENCES books.incident,
  step text NOT NULL CHECK (step IN ('notified', 'closed')),
  says text NOT NULL,
  done_by text NOT NULL,
  done_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (incident, step)
);

SELECT books.make_append_only('books.payout');
SELECT books.make_append_only('books.payout_step');
SELECT books.make_append_only('books.incident');
SELECT books.make_append_only('books.incident_step');

GRANT SELECT ON books.payout, books.payout_step, books.incident, books.incident_step
  TO feltwork_writer, feltwork_reader;
GRANT INSERT (link, award, amount, cards, payee, identity, steps, flags, withheld, written_by)
  ON books.payout TO feltwork_writer;
GRANT INSERT (link, award, step, note, done_by) ON books.payout_step TO feltwork_writer;
GRANT INSERT (link, table_id, what, learned_at, notify_by, opened_by) ON books.incident TO feltwork_writer;
GRANT INSERT (incident, step, says, done_by) ON books.incident_step TO feltwork_writer;
RESET ROLE;
