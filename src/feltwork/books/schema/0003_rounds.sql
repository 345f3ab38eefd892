-- Rounds: one row each, its wagers are its seats. A table numbers its rounds; each number is booked once, for
-- ever and across all partitions, and a number that was left out is seen.

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
  table_id text PRIMARY KEY,
  booked int8multirange NOT NULL
) WITH (fillfactor = 50);

-- Books the numbers of rounds of tables that have several of them in a batch, or none before it.
CREATE FUNCTION books.number_grouped(tables text[], numbers bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  one record;
BEGIN
  FOR one IN
    SELECT table_id, range_agg(int8range(number, number, '[]')) AS fresh, count(*) AS rounds,
           count(DISTINCT number) AS different
      FROM unnest(tables, numbers) AS asked (table_id, number) GROUP BY table_id ORDER BY table_id
  LOOP
    INSERT INTO books.numbered AS had VALUES (one.table_id, one.fresh)
    ON CONFLICT (table_id) DO UPDATE SET booked = had.booked + excluded.booked
      WHERE NOT had.booked && excluded.booked;
    IF NOT FOUND OR one.rounds <> one.different THEN
      RAISE EXCEPTION 'a round of table % with this number is booked already', one.table_id
        USING ERRCODE = 'unique_violation', CONSTRAINT = 'numbered',
              HINT = 'leave it out: a round is booked once';
    END IF;
  END LOOP;
END
$$;

-- Books the numbers of new rounds, and lays their wagers against the entry that posts them: the last one of the
-- chain, or the next one, in the same transaction. Mostly a batch has one round of each of many known tables,
-- and one statement does.
CREATE FUNCTION books.number_rounds() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = books, pg_temp AS $$
DECLARE
  about record;
  done bigint;
BEGIN
  SELECT array_agg(table_id) AS tables, array_agg(number) AS numbers, count(*) AS rounds,
         min(link) AS link, max(link) AS last_link, min(entry) AS entry, max(entry) AS last_entry,
         sum(cardinality(seats) * wager)::bigint AS staked
    INTO about FROM fresh;
  IF about.rounds = 0 THEN
    RETURN NULL;
  END IF;
  BEGIN
    UPDATE books.numbered AS had
       SET booked = had.booked + int8multirange(int8range(asked.number, asked.number, '[]'))
      FROM unnest(about.tables, about.numbers) AS asked (table_id, number)
     WHERE had.table_id = asked.table_id AND NOT had.booked @> asked.number;
    GET DIAGNOSTICS done = ROW_COUNT;
    IF done <> about.rounds THEN
      RAISE EXCEPTION USING ERRCODE = 'FW001';
    END IF;
  EXCEPTION WHEN SQLSTATE 'FW001' THEN
    PERFORM books.number_grouped(about.tables, about.numbers);
  END;

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
  table_id text PRIMARY KEY,
  booked int8multirange NOT NULL
) WITH (fillfactor = 50);

CREATE FUNCTION books.number_ends() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = books, pg_temp AS $$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT table_id, number, link, entry, fixed + envy AS paid FROM fresh ORDER BY table_id, number LOOP
    INSERT INTO books.ended AS had VALUES (one.table_id, int8multirange(int8range(one.number, one.number, '[]')))
    ON CONFLICT (table_id) DO UPDATE SET booked = had.booked + excluded.booked
      WHERE NOT had.booked && excluded.booked;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'the end of round % of table % is booked already', one.number, one.table_id
        USING ERRCODE = 'unique_violation', CONSTRAINT = 'ended';
    END IF;
    UPDATE books.chain_tail SET uncovered = uncovered - one.paid WHERE link = one.link AND number = one.entry;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'ends of rounds are booked together with their entry, and only with it'
        USING ERRCODE = 'foreign_key_violation';
    END IF;
  END LOOP;
  RETURN NULL;
END
$$;
CREATE TRIGGER ended AFTER INSERT ON books.round_end REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION books.number_ends();
ALTER TABLE books.round_end ENABLE ALWAYS TRIGGER ended;

-- The numbers that a table has left out so far, as ranges.
CREATE VIEW books.gap AS
  SELECT table_id, lower(part) AS first, upper(part) - 1 AS last
    FROM books.numbered,
         unnest(int8multirange(int8range(1, upper(booked))) - booked) AS part;

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
SELECT books.make_append_only('books.parked');
SELECT books.make_append_only('books.table_fact');
SELECT books.partition_by_month('round');
SELECT books.partition_by_month('round_end');
SELECT books.partition_by_month('table_fact');

REVOKE EXECUTE ON FUNCTION books.number_grouped FROM PUBLIC;
GRANT SELECT ON books.round, books.numbered, books.round_end, books.ended, books.gap, books.parked, books.table_fact
  TO feltwork_writer, feltwork_reader;
GRANT INSERT (table_id, number, link, started_at, wager, seats, entry) ON books.round TO feltwork_writer;
GRANT INSERT (table_id, number, link, ended_at, fixed, envy, entry) ON books.round_end TO feltwork_writer;
GRANT INSERT (link, table_id, number, round, problem) ON books.parked TO feltwork_writer;
GRANT INSERT (link, table_id, number, at, kind, fact) ON books.table_fact TO feltwork_writer;
RESET ROLE;
