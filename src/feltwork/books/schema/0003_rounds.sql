-- Rounds: one row each, its wagers are its seats. A table numbers its rounds, and a round has the same number on
-- each of its links; each number is booked once on a link, for ever and across all partitions, and a number that
-- was left out is seen.

SET ROLE feltwork_owner;

CREATE TABLE books.round (
  table_id text NOT NULL,
  number bigint NOT NULL,
  link text NOT NULL,
  -- Microseconds since 1970, by the table's clock.
  started_at bigint NOT NULL,
  wager bigint NOT NULL CHECK (wager > 0),
  seats smallint[] NOT NULL,
  -- The entry that booked it.
  entry bigint NOT NULL,
  booked_at timestamptz NOT NULL DEFAULT statement_timestamp()
) PARTITION BY RANGE (booked_at);
CREATE INDEX round_by_number ON books.round (table_id, number);

CREATE TABLE books.numbered (
  link text NOT NULL,
  table_id text NOT NULL,
  booked int8multirange NOT NULL,
  PRIMARY KEY (table_id, link)
) WITH (fillfactor = 50);

-- Books the numbers of new rounds, and lays their wagers against the entry that posts them: the last one of the
-- chain, or the next one, in the same transaction.
CREATE FUNCTION books.number_rounds() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = books, pg_temp AS $$
DECLARE
  about record;
  moved bigint;
  added bigint := 0;
BEGIN
  SELECT count(*) AS rounds, count(DISTINCT table_id) AS tables, min(link) AS link, max(link) AS last_link,
         min(entry) AS entry, max(entry) AS last_entry, sum(cardinality(seats) * wager)::bigint AS staked
    INTO about FROM fresh;
  IF about.rounds = 0 THEN
    RETURN NULL;
  END IF;
  -- Mostly a batch has one round of each of many tables, and needs no grouping.
  IF about.tables = about.rounds THEN
    UPDATE books.numbered AS had
       SET booked = had.booked + int8multirange(int8range(fresh.number, fresh.number + 1))
      FROM fresh WHERE had.link = about.link AND had.table_id = fresh.table_id AND NOT had.booked @> fresh.number;
  ELSE
    UPDATE books.numbered AS had SET booked = had.booked + one.numbers
      FROM (SELECT table_id, range_agg(int8range(number, number + 1)) AS numbers
              FROM fresh GROUP BY table_id HAVING count(*) = count(DISTINCT number)) AS one
     WHERE had.link = about.link AND had.table_id = one.table_id AND NOT had.booked && one.numbers;
  END IF;
  GET DIAGNOSTICS moved = ROW_COUNT;
  IF moved < about.tables THEN
    INSERT INTO books.numbered
    SELECT about.link, table_id, range_agg(int8range(number, number + 1))
      FROM fresh GROUP BY table_id HAVING count(*) = count(DISTINCT number)
     ORDER BY table_id ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS added = ROW_COUNT;
  END IF;
  IF moved + added < about.tables THEN
    RAISE EXCEPTION 'a round with one of these numbers is booked already'
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'numbered', HINT = 'leave it out: a round is booked once';
  END IF;

  UPDATE books.chain_tail SET uncovered = uncovered - about.staked
   WHERE link = about.link AND about.link = about.last_link
     AND about.entry = about.last_entry AND number IN (about.entry, about.entry - 1);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'rounds are booked together with their entry, and only with it'
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER numbered AFTER INSERT ON books.round REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION books.number_rounds();
ALTER TABLE books.round ENABLE ALWAYS TRIGGER numbered;

-- How rounds ended: what the tray paid. Booked once, like the rounds, and covered by an entry.
CREATE TABLE books.round_end (
  table_id text NOT NULL,
  number bigint NOT NULL,
  link text NOT NULL,
  ended_at bigint NOT NULL,
  fixed bigint NOT NULL CHECK (fixed >= 0),
  envy bigint NOT NULL CHECK (envy >= 0),
  entry bigint NOT NULL,
  booked_at timestamptz NOT NULL DEFAULT statement_timestamp()
) PARTITION BY RANGE (booked_at);
CREATE INDEX round_end_by_number ON books.round_end (table_id, number);

CREATE TABLE books.ended (
  link text NOT NULL,
  table_id text NOT NULL,
  booked int8multirange NOT NULL,
  PRIMARY KEY (table_id, link)
) WITH (fillfactor = 50);

-- The same for ends, and what their trays paid against the entry that posts it.
CREATE FUNCTION books.number_ends() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = books, pg_temp AS $$
DECLARE
  about record;
  moved bigint;
  added bigint := 0;
BEGIN
  SELECT count(*) AS ends, count(DISTINCT table_id) AS tables, min(link) AS link, max(link) AS last_link,
         min(entry) AS entry, max(entry) AS last_entry, sum(fixed + envy)::bigint AS paid
    INTO about FROM fresh;
  IF about.ends = 0 THEN
    RETURN NULL;
  END IF;
  UPDATE books.ended AS had SET booked = had.booked + one.numbers
    FROM (SELECT table_id, range_agg(int8range(number, number + 1)) AS numbers
            FROM fresh GROUP BY table_id HAVING count(*) = count(DISTINCT number)) AS one
   WHERE had.link = about.link AND had.table_id = one.table_id AND NOT had.booked && one.numbers;
  GET DIAGNOSTICS moved = ROW_COUNT;
  IF moved < about.tables THEN
    INSERT INTO books.ended
    SELECT about.link, table_id, range_agg(int8range(number, number + 1))
      FROM fresh GROUP BY table_id HAVING count(*) = count(DISTINCT number)
     ORDER BY table_id ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS added = ROW_COUNT;
  END IF;
  IF moved + added < about.tables THEN
    RAISE EXCEPTION 'the end of one of these rounds is booked already'
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'ended', HINT = 'leave it out: a round ends once';
  END IF;

  UPDATE books.chain_tail SET uncovered = uncovered - about.paid
   WHERE link = about.link AND about.link = about.last_link
     AND about.entry = about.last_entry AND number = about.entry;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'ends of rounds are booked together with their entry, and only with it'
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER ended AFTER INSERT ON books.round_end REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION books.number_ends();
ALTER TABLE books.round_end ENABLE ALWAYS TRIGGER ended;

-- Locked seats that were corrected before the first card: the entry that booked it writes the row.
CREATE TABLE books.correction (
  link text NOT NULL,
  entry bigint NOT NULL,
  table_id text NOT NULL,
  number bigint NOT NULL,
  seat smallint NOT NULL,
  wagered boolean NOT NULL,
  booked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (link, entry)
);
CREATE INDEX correction_by_round ON books.correction (link, table_id, number);
CREATE INDEX correction_by_time ON books.correction (booked_at);

-- The locked seats of a round: those that START GAME locked, as they were corrected since.
CREATE FUNCTION books.locked_seats(of_link text, of_table text, of_number bigint, started smallint[])
RETURNS smallint[] LANGUAGE sql STABLE AS $$
  WITH corrected AS (
    SELECT DISTINCT ON (seat) seat, wagered FROM books.correction
     WHERE table_id = of_table AND number = of_number AND link = of_link ORDER BY seat, entry DESC
  )
  SELECT coalesce(array_agg(seat ORDER BY seat), '{}')
    FROM (SELECT unnest(started) AS seat EXCEPT SELECT seat FROM corrected WHERE NOT wagered
           UNION SELECT seat FROM corrected WHERE wagered) AS locked
$$;

-- Books the correction of one locked seat with its entry: one wager of an open round, in or out, and no hand of
-- the round was claimed.
CREATE FUNCTION books.correct_seat(entry books.entry, wager bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  fact jsonb := entry.fact::jsonb;
  about record;
  adds boolean := entry.kind = 'WagerAdded';
BEGIN
  SELECT fact ->> 'table' AS table_id, (fact ->> 'round')::bigint AS number,
         (fact ->> 'seat')::smallint AS seat INTO about;
  IF NOT EXISTS (
      SELECT FROM books.round
       WHERE round.number = about.number AND round.table_id = about.table_id AND round.link = entry.link
         AND round.wager = correct_seat.wager
         AND (about.seat = ANY (books.locked_seats(round.link, round.table_id, round.number, round.seats))) <> adds)
     OR EXISTS (SELECT FROM books.ended WHERE link = entry.link AND table_id = about.table_id
                    AND booked @> about.number)
     OR EXISTS (SELECT FROM books.once WHERE link = entry.link AND what = 'misdeal'
                   AND name = about.table_id || '/' || about.number)
     OR EXISTS (SELECT FROM books.award WHERE link = entry.link AND award.table_id = about.table_id
                   AND round = about.number) THEN
    RAISE EXCEPTION 'entry % of %: seat % of round % at table % cannot be corrected', entry.number, entry.link,
      about.seat, about.number, about.table_id USING ERRCODE = 'check_violation';
  END IF;
  INSERT INTO books.correction (link, entry, table_id, number, seat, wagered)
  VALUES (entry.link, entry.number, about.table_id, about.number, about.seat, adds);
END
$$;

-- Rounds that were refused, with the reason: kept, never dropped.
CREATE TABLE books.parked (
  link text NOT NULL REFERENCES books.link,
  table_id text NOT NULL,
  number bigint NOT NULL,
  round jsonb NOT NULL,
  problem jsonb NOT NULL,
  parked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (link, table_id, number)
);

-- The numbers that a table has left out on a link so far and that are not parked either, as ranges. What it played
-- before it came to the link, or while it was on another one, is not missing.
CREATE VIEW books.gap AS
  SELECT mine.link, mine.table_id, lower(part) AS first, upper(part) - 1 AS last
    FROM books.numbered AS mine,
         unnest(int8multirange(int8range(1, upper(mine.booked))) - mine.booked
                - coalesce((SELECT range_agg(int8range(number, number, '[]')) FROM books.parked
                             WHERE parked.link = mine.link AND parked.table_id = mine.table_id), '{}')
                - coalesce((SELECT range_agg(CASE WHEN other.booked && mine.booked
                                                  THEN other.booked * int8multirange(int8range(1, lower(mine.booked)))
                                                  ELSE other.booked END)
                              FROM books.numbered AS other
                             WHERE other.table_id = mine.table_id AND other.link <> mine.link), '{}')) AS part
   WHERE mine.booked <> int8multirange(int8range(1, upper(mine.booked)));

-- What the tables said besides: hands pressed and cleared, rounds ended and voided.
CREATE TABLE books.table_fact (
  id bigint GENERATED ALWAYS AS IDENTITY,
  link text NOT NULL,
  table_id text NOT NULL,
  number bigint NOT NULL,
  at bigint NOT NULL,
  kind text NOT NULL,
  fact jsonb NOT NULL,
  booked_at timestamptz NOT NULL DEFAULT clock_timestamp()
) PARTITION BY RANGE (booked_at);
CREATE INDEX table_fact_by_round ON books.table_fact (table_id, number);

SELECT books.make_append_only('books.round');
SELECT books.make_append_only('books.round_end');
SELECT books.make_append_only('books.correction');
SELECT books.make_append_only('books.parked');
SELECT books.make_append_only('books.table_fact');
SELECT books.partition_by_month('round');
SELECT books.partition_by_month('round_end');
SELECT books.partition_by_month('table_fact');

REVOKE EXECUTE ON FUNCTION books.correct_seat, books.locked_seats FROM PUBLIC;
GRANT EXECUTE ON FUNCTION books.locked_seats TO feltwork_writer, feltwork_reader;
GRANT SELECT ON books.round, books.numbered, books.round_end, books.ended, books.gap, books.parked, books.table_fact,
  books.correction
  TO feltwork_writer, feltwork_reader;
GRANT INSERT (table_id, number, link, started_at, wager, seats, entry) ON books.round TO feltwork_writer;
GRANT INSERT (table_id, number, link, ended_at, fixed, envy, entry) ON books.round_end TO feltwork_writer;
GRANT INSERT (link, table_id, number, round, problem) ON books.parked TO feltwork_writer;
GRANT INSERT (link, table_id, number, at, kind, fact) ON books.table_fact TO feltwork_writer;
RESET ROLE;
