-- The schema of the books. Step 0001 of the migrations runs this file; later steps alter it and change this file too.

-- Roles
-- -----
DO $$
DECLARE
  role_name text;
BEGIN
  FOREACH role_name IN ARRAY ARRAY['feltwork_owner', 'feltwork_writer', 'feltwork_reader'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
      EXECUTE format('CREATE ROLE %I NOLOGIN', role_name);
    END IF;
  END LOOP;
END
$$;
CREATE SCHEMA books AUTHORIZATION feltwork_owner;
GRANT USAGE ON SCHEMA books TO feltwork_writer, feltwork_reader;
SET ROLE feltwork_owner;

-- Append-only tables
-- ------------------

-- Rejects every change to a journal table, also by the owner or a superuser.
CREATE FUNCTION books.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on books.% is not allowed: booked records are permanent', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation', HINT = 'book a correction';
END
$$;

-- Makes a table append-only. ENABLE ALWAYS keeps the triggers on under any session_replication_role.
CREATE FUNCTION books.make_append_only(name regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER no_update_or_delete BEFORE UPDATE OR DELETE ON %s'
                 ' FOR EACH ROW EXECUTE FUNCTION books.refuse_change()', name);
  EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER no_update_or_delete', name);
  EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s'
                 ' FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change()', name);
  EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER no_truncate', name);
END
$$;

-- Monthly partitions
-- ------------------

-- Tables partitioned by the month of booking.
CREATE TABLE books.partitioned_table (
  name text PRIMARY KEY
);

-- How many months have partitions: this one and a year more, unless the server is one of an hour.
CREATE FUNCTION books.months_ahead() RETURNS integer STABLE LANGUAGE sql
  RETURN coalesce(current_setting('feltwork.months_ahead', true), '13')::integer;

-- Creates the missing partitions of a table, or of all, from a month on. Rows without a partition go to the default partition, so that no
-- insert ever fails for lack of one; a month that already has rows there stays there.
CREATE FUNCTION books.make_partitions(first_day date, months integer, of_table text DEFAULT NULL) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = books, pg_temp AS $$
DECLARE
  parent text;
  month date;
  partition text;
  occupied boolean;
  made integer := 0;
BEGIN
  FOR parent IN SELECT name FROM books.partitioned_table WHERE name = coalesce(of_table, name) ORDER BY name LOOP
    FOR step IN 0 .. months - 1 LOOP
      month := (date_trunc('month', first_day) + make_interval(months => step))::date;
      partition := format('%s_%s', parent, to_char(month, 'YYYY_MM'));
      CONTINUE WHEN to_regclass('books.' || partition) IS NOT NULL;
      EXECUTE format(
        'SELECT EXISTS (SELECT FROM books.%I WHERE booked_at >= %L AND booked_at < %L)',
        parent || '_other', month || ' UTC', (month + interval '1 month')::date || ' UTC') INTO occupied;
      CONTINUE WHEN occupied;
      EXECUTE format(
        'CREATE TABLE books.%I PARTITION OF books.%I FOR VALUES FROM (%L) TO (%L)',
        partition, parent, month || ' UTC', (month + interval '1 month')::date || ' UTC');
      PERFORM books.prepare_partition(parent, partition);
      made := made + 1;
    END LOOP;
  END LOOP;
  RETURN made;
END
$$;

-- Adds what a partition does not inherit: a statement that names a partition fires no statement trigger of the
-- parent, and storage options are set per partition.
CREATE FUNCTION books.prepare_partition(parent text, partition text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON books.%I'
                 ' FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change()', partition);
  EXECUTE format('ALTER TABLE books.%I ENABLE ALWAYS TRIGGER no_truncate', partition);
  IF parent = 'round' THEN
    EXECUTE format('CREATE TRIGGER record_numbers AFTER INSERT ON books.%I REFERENCING NEW TABLE AS fresh'
                   ' FOR EACH STATEMENT EXECUTE FUNCTION books.record_round_numbers()', partition);
    EXECUTE format('ALTER TABLE books.%I ENABLE ALWAYS TRIGGER record_numbers', partition);
  ELSIF parent = 'entry' THEN
    -- Keeps the fact of a large batch inline; a TOAST row would cost more.
    EXECUTE format('ALTER TABLE books.%I SET (toast_tuple_target = 8160)', partition);
  ELSIF parent = 'round_end' THEN
    EXECUTE format('CREATE TRIGGER record_numbers AFTER INSERT ON books.%I REFERENCING NEW TABLE AS fresh'
                   ' FOR EACH STATEMENT EXECUTE FUNCTION books.record_end_numbers()', partition);
    EXECUTE format('ALTER TABLE books.%I ENABLE ALWAYS TRIGGER record_numbers', partition);
  END IF;
END
$$;

-- Lists a table as partitioned and creates its default partition.
CREATE FUNCTION books.partition_by_month(parent text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO books.partitioned_table VALUES (parent);
  EXECUTE format('CREATE TABLE books.%I PARTITION OF books.%I DEFAULT', parent || '_other', parent);
  PERFORM books.prepare_partition(parent, parent || '_other');
END
$$;
REVOKE EXECUTE ON FUNCTION books.make_partitions, books.prepare_partition, books.make_append_only,
  books.partition_by_month FROM PUBLIC;
GRANT EXECUTE ON FUNCTION books.make_partitions TO feltwork_writer;
GRANT SELECT ON books.partitioned_table TO feltwork_writer, feltwork_reader;

-- Links and their versions
-- ------------------------

-- Links, progressive or house. Each has its own chain of entries.
CREATE TABLE books.link (
  id text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('progressive', 'house')),
  registered_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT books.make_append_only('books.link');

-- Every configuration that a link has had or may get. The journal records which one is in force.
CREATE TABLE books.version (
  link text NOT NULL REFERENCES books.link,
  fingerprint text NOT NULL,
  body text NOT NULL,
  registered_by text NOT NULL,
  registered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (link, fingerprint)
);
SELECT books.make_append_only('books.version');
GRANT SELECT ON books.link, books.version TO feltwork_writer, feltwork_reader;
GRANT INSERT ON books.link, books.version TO feltwork_writer;

-- Journal: the chain of entries, and the balances and state that they fold to
-- ---------------------------------------------------------------------------

-- The last entry of each chain. Appending moves the tail, so (link, number) is unique across all partitions and every
-- entry follows the one before.
CREATE TABLE books.chain_tail (
  link text PRIMARY KEY REFERENCES books.link,
  number bigint NOT NULL DEFAULT 0,
  hash text NOT NULL DEFAULT repeat('0', 64),
  -- Wagers and tray pays posted by entries and not yet covered by rounds; 0 at commit.
  uncovered bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- The journal, one fact per entry. The body is the canonical text that was hashed; the other columns are read from it.
CREATE TABLE books.entry (
  -- The trigger requires a chain, so no foreign key.
  link text NOT NULL,
  number bigint NOT NULL,
  previous text NOT NULL,
  hash text NOT NULL,
  at bigint NOT NULL,
  kind text NOT NULL,
  body text NOT NULL,
  fact text NOT NULL,
  booked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (link, number, booked_at),
  CONSTRAINT body_is_what_was_hashed CHECK (hash = encode(sha256(convert_to(body, 'UTF8')), 'hex'))
) PARTITION BY RANGE (booked_at);
CREATE INDEX entry_by_kind ON books.entry (link, kind, number);
CREATE INDEX entry_by_award ON books.entry (link, (body::jsonb -> 'references' ->> 'award'))
  WHERE kind <> 'Contributed';

-- Entries lie in the order of booking, so that a period is a piece of the table.
CREATE INDEX entry_by_time ON books.entry USING brin (booked_at) WITH (pages_per_range = 32);

-- Compression would cost a batch more than writing the text.
ALTER TABLE books.entry ALTER body SET STORAGE EXTERNAL, ALTER fact SET STORAGE EXTERNAL;
SELECT books.make_append_only('books.entry');
SELECT books.partition_by_month('entry');

-- Account balances. The trays of all tables are one row per link, so a batch of many tables updates a handful of rows,
-- and all rows of a link still sum to zero.
CREATE TABLE books.balance (
  link text NOT NULL REFERENCES books.link,
  account text NOT NULL,
  amount bigint NOT NULL,
  PRIMARY KEY (link, account),
  CONSTRAINT players_money_never_below_zero
    CHECK (amount >= 0 OR split_part(account, '/', 1) NOT IN ('meter', 'reserve', 'payable'))
) WITH (fillfactor = 50);

-- The allowed money movements: for each kind of entry, which kinds of accounts it may take from and give to.
CREATE TABLE books.posting_rule (
  kind text NOT NULL,
  account_kind text NOT NULL,
  gives boolean NOT NULL,
  gets boolean NOT NULL,
  PRIMARY KEY (kind, account_kind)
);
INSERT INTO books.posting_rule (kind, account_kind, gives, gets)
SELECT kind, account_kind, account_kind = ANY (givers::text[]), account_kind = ANY (getters::text[])
  FROM (VALUES
    ('Adjusted.CAP_CORRECTION', '{meter}', '{reserve}'),
    ('Adjusted.HOUSE_ADDITION', '{house_pays}', '{meter,reserve}'),
    ('Adjusted.MALFUNCTION_CORRECTION', '{correction,meter,reserve}', '{correction,meter,reserve}'),
    ('Adjusted.MERCHANDISE', '{reserve}', '{merchandise}'),
    ('Adjusted.NON_DISPLAYED_TO_GROSS_RECEIPTS', '{reserve}', '{gross_receipts}'),
    ('Adjusted.SEED_RECOVERY', '{meter,reserve}', '{seed_advanced}'),
    ('Confirmed', '{pending}', '{payable}'),
    ('Confiscated', '{payable}', '{problem_gambling}'),
    ('Contributed', '{patrons}', '{retention,meter,reserve}'),
    ('Locked', '{house_pays,meter,reserve,seed_advanced}', '{meter,pending}'),
    ('Misdealt', '{retention,meter,reserve}', '{patrons}'),
    ('Opened', '{seed_advanced}', '{meter}'),
    ('Paid', '{payable}', '{patrons}'),
    ('PaidFromTray', '{tray}', '{patrons}'),
    ('Received', '{clearing}', '{meter,reserve}'),
    ('Overflowed', '{meter}', '{reserve}'),
    ('Released', '{meter,pending}', '{house_pays,meter,reserve,seed_advanced}'),
    ('Removed', '{meter,reserve}', '{clearing}'),
    ('Reversed', '{meter,patrons,payable}', '{house_pays,meter,reserve,seed_advanced}'),
    ('WagerAdded', '{patrons}', '{retention,meter,reserve}'),
    ('WagerReturned', '{retention,meter,reserve}', '{patrons}')
  ) AS movement (kind, givers, getters)
 CROSS JOIN LATERAL (SELECT unnest(givers::text[]) UNION SELECT unnest(getters::text[])) AS account (account_kind);

-- Events that may happen only once, with the entry of each.
CREATE TABLE books.unique_event (
  link text NOT NULL REFERENCES books.link,
  what text NOT NULL,
  name text NOT NULL,
  number bigint NOT NULL,
  kind text NOT NULL,
  PRIMARY KEY (link, what, name)
);
SELECT books.make_append_only('books.unique_event');

-- A snapshot of what a link's facts fold to apart from its balances, so that no command reads the whole journal.
CREATE TABLE books.link_state (
  link text PRIMARY KEY REFERENCES books.link,
  number bigint NOT NULL DEFAULT 0,
  version text NOT NULL,
  state jsonb NOT NULL
) WITH (fillfactor = 50);

-- Enforces uniqueness and order: a claim is settled once, and paid or reversed once after it was confirmed; an
-- adjustment, a misdeal, an opening and a removal happen once.
CREATE FUNCTION books.record_unique_event(entry books.entry, refs jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  awarded text := refs ->> 'award';
  fact jsonb := CASE WHEN entry.kind = 'Received' THEN entry.fact::jsonb END;
  settled text;
BEGIN
  IF entry.kind IN ('CardsEntered', 'SetAside', 'Confirmed', 'MeterMoved', 'Voided', 'Locked', 'Released') AND NOT EXISTS (
      SELECT FROM books.unique_event WHERE link = entry.link AND what = 'claim' AND name = awarded) THEN
    RAISE EXCEPTION '%: claim % does not exist and cannot be %', entry.link, awarded, lower(entry.kind)
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  IF entry.kind IN ('Paid', 'Confiscated', 'Reversed') THEN
    SELECT kind INTO settled FROM books.unique_event
     WHERE link = entry.link AND what = 'settlement' AND name = awarded;
    IF settled IS DISTINCT FROM 'Confirmed' THEN
      RAISE EXCEPTION '%: award % is not confirmed', entry.link, awarded
        USING ERRCODE = 'foreign_key_violation';
    END IF;
  END IF;
  INSERT INTO books.unique_event (link, what, name, number, kind)
  SELECT entry.link, event.what, event.name, entry.number, entry.kind
    FROM (VALUES
      ('Claimed', 'claim', awarded),
      ('CardsEntered', 'cards', awarded),
      ('Confirmed', 'settlement', awarded),
      ('Voided', 'settlement', awarded),
      ('Paid', 'payment', awarded),
      ('Confiscated', 'payment', awarded),
      ('Reversed', 'reversal', awarded),
      ('Reversed', 'adjustment', refs ->> 'adjustment'),
      ('Adjusted', 'adjustment', refs ->> 'adjustment'),
      ('Misdealt', 'misdeal', (refs ->> 'table') || '/' || (refs ->> 'round')),
      ('Opened', 'opening', ''),
      ('Removed', 'removal', ''),
      ('Received', 'receipt', fact ->> 'source')
    ) AS event (kind, what, name)
   WHERE event.kind = split_part(entry.kind, '.', 1);
END
$$;

-- A new version must be registered and takes effect only while the link is suspended [GEN-06].
CREATE FUNCTION books.check_reconfiguration(entry books.entry, refs jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM books.link_state
                  WHERE link = entry.link AND jsonb_exists(state -> 'stops', 'suspended')) THEN
    RAISE EXCEPTION '%: a new version takes effect only on a suspended link', entry.link
      USING ERRCODE = 'check_violation';
  END IF;
  IF NOT EXISTS (SELECT FROM books.version
                  WHERE link = entry.link AND fingerprint = refs ->> 'version') THEN
    RAISE EXCEPTION '%: version % is not registered', entry.link, refs ->> 'version'
      USING ERRCODE = 'foreign_key_violation';
  END IF;
END
$$;

-- A house jackpot has no pool that player money could feed, and only a house jackpot posts amounts [WA-01].
CREATE FUNCTION books.check_link_kind(of_link text, entry_kind text, accounts text[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  is_house boolean := EXISTS (SELECT FROM books.link WHERE id = of_link AND kind = 'house');
BEGIN
  IF is_house AND EXISTS (SELECT FROM unnest(accounts) AS account
      WHERE split_part(account, '/', 1) IN ('meter', 'reserve', 'seed_advanced')) THEN
    RAISE EXCEPTION '%: a house jackpot has no meter, and % moves one', of_link, entry_kind
      USING ERRCODE = 'check_violation';
  END IF;
  IF entry_kind = 'AmountSet' AND NOT is_house THEN
    RAISE EXCEPTION '%: only a house jackpot posts amounts', of_link USING ERRCODE = 'check_violation';
  END IF;
END
$$;

-- Adds postings to the balances of a link. Postings to trays arrive summed.
CREATE FUNCTION books.move_balances(of_link text, accounts text[], amounts bigint[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  found_rows integer;
  empty_rows integer;
BEGIN
  WITH after AS (
    UPDATE books.balance AS held SET amount = held.amount + moved.amount
      FROM unnest(accounts, amounts) AS moved (account, amount)
     WHERE held.link = of_link AND held.account = moved.account
    RETURNING held.amount)
  SELECT count(*), count(*) FILTER (WHERE amount = 0) INTO found_rows, empty_rows FROM after;
  IF found_rows < cardinality(accounts) THEN
    INSERT INTO books.balance
    SELECT of_link, moved.account, moved.amount
      FROM unnest(accounts, amounts) AS moved (account, amount)
     WHERE NOT EXISTS (SELECT FROM books.balance AS held
                        WHERE held.link = of_link AND held.account = moved.account);
  END IF;
  IF empty_rows > 0 THEN
    DELETE FROM books.balance WHERE link = of_link AND account = ANY (accounts) AND amount = 0;
  END IF;
END
$$;

-- Appends an entry: reads its columns from the body, moves the chain tail, checks the posting rules and moves the
-- balances. The caller supplies a body and a fact; everything else is computed.
CREATE FUNCTION books.append() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = books, pg_temp AS $$
DECLARE
  body jsonb := NEW.body::jsonb;
  refs jsonb := body -> 'references';
  accounts text[];
  amounts bigint[];
  total bigint;
  wagered bigint := 0;
  wrong text;
BEGIN
  NEW.link := body ->> 'link';
  NEW.number := (body ->> 'number')::bigint;
  NEW.previous := body ->> 'previous';
  NEW.at := (body ->> 'at')::bigint;
  NEW.kind := body ->> 'kind';
  NEW.hash := encode(sha256(convert_to(NEW.body, 'UTF8')), 'hex');
  IF encode(sha256(convert_to(NEW.fact, 'UTF8')), 'hex') IS DISTINCT FROM refs ->> 'fact' THEN
    RAISE EXCEPTION 'entry % of %: the fact does not match the hash in the body', NEW.number, NEW.link
      USING ERRCODE = 'check_violation';
  END IF;

  SELECT array_agg(moved.account), array_agg(moved.amount), sum(moved.amount),
         min(moved.account) FILTER (
           WHERE NOT coalesce(CASE WHEN moved.amount < 0 THEN rule.gives ELSE rule.gets END, false))
    INTO accounts, amounts, total, wrong
    FROM (
      SELECT CASE WHEN posting ->> 0 ^@ 'tray/' THEN 'tray' ELSE posting ->> 0 END AS account,
             sum((posting -> 1)::bigint)::bigint AS amount
        FROM jsonb_array_elements(body -> 'postings') AS posting
       GROUP BY 1
    ) AS moved
    LEFT JOIN books.posting_rule AS rule
      ON rule.kind = NEW.kind AND rule.account_kind = split_part(moved.account, '/', 1);
  IF total <> 0 THEN
    RAISE EXCEPTION 'entry % of %: the postings do not balance', NEW.number, NEW.link
      USING ERRCODE = 'check_violation';
  END IF;
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'entry % of %: % may not post to % in this direction', NEW.number, NEW.link, NEW.kind, wrong
      USING ERRCODE = 'check_violation';
  END IF;

  IF NEW.kind = 'Contributed' THEN
    wagered := coalesce(-amounts[array_position(accounts, 'patrons/' || NEW.link)], 0);
  ELSIF NEW.kind = 'PaidFromTray' THEN
    wagered := coalesce(-amounts[array_position(accounts, 'tray')], 0);
  ELSE
    PERFORM books.record_unique_event(NEW, refs);
  END IF;
  IF NEW.kind = 'Reconfigured' THEN
    PERFORM books.check_reconfiguration(NEW, refs);
  ELSIF NEW.kind IN ('WagerAdded', 'WagerReturned') THEN
    PERFORM books.correct_seat(NEW, abs(amounts[array_position(accounts, 'patrons/' || NEW.link)]));
  END IF;
  PERFORM books.check_link_kind(NEW.link, NEW.kind, accounts);

  UPDATE books.chain_tail SET number = NEW.number, hash = NEW.hash, uncovered = uncovered + wagered
   WHERE link = NEW.link AND number = NEW.number - 1 AND hash = NEW.previous;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'entry % of %: it does not follow the last entry', NEW.number, NEW.link
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'chain', HINT = 'lock the link first';
  END IF;
  IF accounts IS NOT NULL THEN
    PERFORM books.move_balances(NEW.link, accounts, amounts);
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER append BEFORE INSERT ON books.entry FOR EACH ROW EXECUTE FUNCTION books.append();
ALTER TABLE books.entry ENABLE ALWAYS TRIGGER append;

-- At commit, every wager and tray pay that was posted must belong to a booked round [WA-05].
CREATE FUNCTION books.check_rounds_cover_entries() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = books, pg_temp AS $$
DECLARE
  missing bigint;
BEGIN
  SELECT uncovered INTO missing FROM books.chain_tail WHERE link = NEW.link;
  IF missing <> 0 THEN
    RAISE EXCEPTION '%: % micros are posted without rounds', NEW.link, missing
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER check_rounds_cover_entries AFTER UPDATE ON books.chain_tail DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.uncovered <> 0) EXECUTE FUNCTION books.check_rounds_cover_entries();

-- The snapshot belongs to the last entry, and its counters never decrease [GEN-02].
CREATE FUNCTION books.check_link_state() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = books, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM books.chain_tail WHERE link = NEW.link AND number = NEW.number) THEN
    RAISE EXCEPTION '%: the snapshot does not belong to the last entry', NEW.link USING ERRCODE = 'check_violation';
  END IF;
  IF EXISTS (
      SELECT FROM jsonb_each(OLD.state -> 'counters') AS level (name, counted),
                  jsonb_each_text(level.counted) AS counter (name, amount)
       WHERE counter.amount::numeric
             > coalesce((NEW.state -> 'counters' -> level.name ->> counter.name)::numeric, -1)) THEN
    RAISE EXCEPTION '%: a counter may not decrease', NEW.link USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER check_link_state BEFORE UPDATE ON books.link_state
  FOR EACH ROW EXECUTE FUNCTION books.check_link_state();

-- Locks a link and returns what a command needs: chain tail, snapshot, version in force, pool balances and the time.
CREATE FUNCTION books.lock_link(of_link text) RETURNS TABLE (
  number bigint, hash text, state jsonb, fingerprint text, version text, balances jsonb, now_micros bigint)
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('feltwork/' || of_link, 0));
  RETURN QUERY
  SELECT tail.number, tail.hash, link_state.state, link_state.version, version.body,
         (SELECT coalesce(jsonb_object_agg(balance.account, balance.amount), '{}')
            FROM books.balance AS balance
           WHERE balance.link = of_link AND balance.account <> 'tray'),
         (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
    FROM books.chain_tail AS tail
    JOIN books.link_state AS link_state USING (link)
    JOIN books.version AS version ON version.link = tail.link AND version.fingerprint = link_state.version
   WHERE tail.link = of_link;
END
$$;

-- Books a batch of rounds of a link in one call: lock, entry, rounds, snapshot; then the ends of those that ended without
-- a hand, as an entry of their own. It runs with the rights of the caller, and the triggers of the tables still apply.
CREATE FUNCTION books.book_rounds(
  of_link text, of_entry bigint, tables text[], numbers bigint[], times bigint[], wager bigint, seats text[],
  body text, fact text, kept jsonb, ended_tables text[], ended_numbers bigint[], ended_times bigint[], ended_body text,
  ended_fact text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  last_entry bigint := of_entry;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('feltwork/' || of_link, 0));
  INSERT INTO books.entry (body, fact) VALUES (body, fact);
  INSERT INTO books.round (table_id, number, link, started_at, wager, seats, entry)
  SELECT batch.table_id, batch.number, of_link, batch.started_at, wager, batch.seats::smallint[], of_entry
    FROM unnest(tables, numbers, times, seats) AS batch (table_id, number, started_at, seats);
  IF ended_body IS NOT NULL THEN
    last_entry := of_entry + 1;
    INSERT INTO books.entry (body, fact) VALUES (ended_body, ended_fact);
    INSERT INTO books.round_end (table_id, number, link, ended_at, fixed, envy, entry)
    SELECT ended.table_id, ended.number, of_link, ended.ended_at, 0, 0, last_entry
      FROM unnest(ended_tables, ended_numbers, ended_times) AS ended (table_id, number, ended_at);
  END IF;
  UPDATE books.link_state SET number = last_entry, state = kept WHERE link = of_link;
END
$$;
GRANT SELECT ON books.chain_tail, books.entry, books.balance, books.posting_rule, books.unique_event, books.link_state
  TO feltwork_writer, feltwork_reader;
GRANT INSERT (link) ON books.chain_tail TO feltwork_writer;
GRANT INSERT (body, fact) ON books.entry TO feltwork_writer;
GRANT INSERT ON books.link_state TO feltwork_writer;
GRANT UPDATE (number, version, state) ON books.link_state TO feltwork_writer;
REVOKE EXECUTE ON FUNCTION books.record_unique_event, books.check_reconfiguration, books.check_link_kind,
  books.move_balances, books.lock_link, books.book_rounds FROM PUBLIC;
GRANT EXECUTE ON FUNCTION books.lock_link, books.book_rounds TO feltwork_writer;

-- Checkpoints
-- -----------

-- Account balances at some entries, so that a past meter value needs only a few entries.
CREATE TABLE books.checkpoint (
  link text NOT NULL REFERENCES books.link,
  number bigint NOT NULL,
  balances jsonb NOT NULL,
  PRIMARY KEY (link, number)
);
CREATE TRIGGER no_update_or_delete BEFORE UPDATE OR DELETE ON books.checkpoint
  FOR EACH ROW EXECUTE FUNCTION books.refuse_change();

-- Writes a checkpoint after every entry that is not a batch of rounds, and after every 256th entry.
CREATE FUNCTION books.write_checkpoint() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = books, pg_temp AS $$
BEGIN
  INSERT INTO books.checkpoint
  SELECT NEW.link, NEW.number, coalesce(jsonb_object_agg(account, amount), '{}')
    FROM books.balance WHERE link = NEW.link;
  RETURN NULL;
END
$$;
CREATE TRIGGER write_checkpoint AFTER INSERT ON books.entry FOR EACH ROW
  WHEN (NEW.kind NOT IN ('Contributed', 'PaidFromTray') OR NEW.number % 256 = 0)
  EXECUTE FUNCTION books.write_checkpoint();
ALTER TABLE books.entry ENABLE ALWAYS TRIGGER write_checkpoint;

-- The balance of an account after an entry: the checkpoint before it plus the entries since.
CREATE FUNCTION books.balance_after(of_link text, of_account text, of_entry bigint) RETURNS bigint
LANGUAGE sql STABLE AS $$
  WITH kept AS (
    SELECT number, coalesce((balances ->> of_account)::bigint, 0) AS amount
      FROM books.checkpoint WHERE link = of_link AND number <= of_entry ORDER BY number DESC LIMIT 1
  )
  SELECT coalesce((SELECT amount FROM kept), 0) + coalesce((
    SELECT sum((posting -> 1)::bigint)
      FROM books.entry, jsonb_array_elements(body::jsonb -> 'postings') AS posting
     WHERE entry.link = of_link AND entry.number <= of_entry
       AND entry.number > coalesce((SELECT number FROM kept), 0) AND posting ->> 0 = of_account), 0)::bigint
$$;
GRANT SELECT ON books.checkpoint TO feltwork_writer, feltwork_reader;
REVOKE EXECUTE ON FUNCTION books.write_checkpoint FROM PUBLIC;
GRANT EXECUTE ON FUNCTION books.balance_after TO feltwork_writer, feltwork_reader;

-- Rounds
-- ------

-- Rounds, one row each; the wagers are the seats. A table numbers its rounds, and a round has the same number on
-- each of its links.
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
CREATE INDEX round_by_number ON books.round (number, table_id);
-- The rounds of the last hour, for the quota: rows are appended by time, so that a few pages hold them.
CREATE INDEX round_by_time ON books.round USING brin (booked_at) WITH (autosummarize = on, pages_per_range = 32);
SELECT books.make_append_only('books.round');

-- The round numbers booked per table and link. Each is booked once across all partitions, and gaps are visible.
CREATE TABLE books.booked_rounds (
  link text NOT NULL,
  table_id text NOT NULL,
  booked int8multirange NOT NULL,
  PRIMARY KEY (table_id, link)
) WITH (fillfactor = 50);

-- Records the numbers of new rounds and offsets their wagers against the entry that posts them: the last or the next
-- one of the chain, in the same transaction.
CREATE FUNCTION books.record_round_numbers() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
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
  -- Usually a batch has one round of each table and needs no grouping.
  IF about.tables = about.rounds THEN
    UPDATE books.booked_rounds AS had
       SET booked = had.booked + int8multirange(int8range(fresh.number, fresh.number + 1))
      FROM fresh WHERE had.link = about.link AND had.table_id = fresh.table_id AND NOT had.booked @> fresh.number;
  ELSE
    UPDATE books.booked_rounds AS had SET booked = had.booked + added_numbers.numbers
      FROM (SELECT table_id, range_agg(int8range(number, number + 1)) AS numbers
              FROM fresh GROUP BY table_id HAVING count(*) = count(DISTINCT number)) AS added_numbers
     WHERE had.link = about.link AND had.table_id = added_numbers.table_id AND NOT had.booked && added_numbers.numbers;
  END IF;
  GET DIAGNOSTICS moved = ROW_COUNT;
  IF moved < about.tables THEN
    INSERT INTO books.booked_rounds
    SELECT about.link, table_id, range_agg(int8range(number, number + 1))
      FROM fresh GROUP BY table_id HAVING count(*) = count(DISTINCT number)
     ORDER BY table_id ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS added = ROW_COUNT;
  END IF;
  IF moved + added < about.tables THEN
    RAISE EXCEPTION 'one of these rounds is already booked'
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'booked_rounds', HINT = 'omit it';
  END IF;

  UPDATE books.chain_tail SET uncovered = uncovered - about.staked
   WHERE link = about.link AND about.link = about.last_link
     AND about.entry = about.last_entry AND number IN (about.entry, about.entry - 1);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'rounds must be booked in the transaction of their entry'
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER record_numbers AFTER INSERT ON books.round REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION books.record_round_numbers();
ALTER TABLE books.round ENABLE ALWAYS TRIGGER record_numbers;
SELECT books.partition_by_month('round');

-- Ends of rounds, with what the tray paid. Booked once, like rounds, and covered by an entry.
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
SELECT books.make_append_only('books.round_end');

-- The numbers of the rounds whose end is booked, per table and link.
CREATE TABLE books.booked_round_ends (
  link text NOT NULL,
  table_id text NOT NULL,
  booked int8multirange NOT NULL,
  PRIMARY KEY (table_id, link)
) WITH (fillfactor = 50);

-- Records the numbers of ended rounds and offsets what their trays paid against the entry that posts it.
CREATE FUNCTION books.record_end_numbers() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
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
  IF about.tables = about.ends THEN
    UPDATE books.booked_round_ends AS had
       SET booked = had.booked + int8multirange(int8range(fresh.number, fresh.number + 1))
      FROM fresh WHERE had.link = about.link AND had.table_id = fresh.table_id AND NOT had.booked @> fresh.number;
  ELSE
    UPDATE books.booked_round_ends AS had SET booked = had.booked + added_numbers.numbers
      FROM (SELECT table_id, range_agg(int8range(number, number + 1)) AS numbers
              FROM fresh GROUP BY table_id HAVING count(*) = count(DISTINCT number)) AS added_numbers
     WHERE had.link = about.link AND had.table_id = added_numbers.table_id AND NOT had.booked && added_numbers.numbers;
  END IF;
  GET DIAGNOSTICS moved = ROW_COUNT;
  IF moved < about.tables THEN
    INSERT INTO books.booked_round_ends
    SELECT about.link, table_id, range_agg(int8range(number, number + 1))
      FROM fresh GROUP BY table_id HAVING count(*) = count(DISTINCT number)
     ORDER BY table_id ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS added = ROW_COUNT;
  END IF;
  IF moved + added < about.tables THEN
    RAISE EXCEPTION 'the end of one of these rounds is already booked'
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'booked_round_ends', HINT = 'omit it';
  END IF;

  UPDATE books.chain_tail SET uncovered = uncovered - about.paid
   WHERE link = about.link AND about.link = about.last_link
     AND about.entry = about.last_entry AND number = about.entry;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'round ends must be booked in the transaction of their entry'
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER record_numbers AFTER INSERT ON books.round_end REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION books.record_end_numbers();
ALTER TABLE books.round_end ENABLE ALWAYS TRIGGER record_numbers;
SELECT books.partition_by_month('round_end');

-- Corrections of locked seats before the first card, written together with their entry.
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
SELECT books.make_append_only('books.correction');

-- The locked seats of a round: those that START GAME locked, with later corrections applied.
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

-- Books the correction of one locked seat: one wager of an open round without claims is added or returned.
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
     OR EXISTS (SELECT FROM books.booked_round_ends WHERE link = entry.link AND table_id = about.table_id
                    AND booked @> about.number)
     OR EXISTS (SELECT FROM books.unique_event WHERE link = entry.link AND what = 'misdeal'
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

-- One count for everything that is parked, so that people can name it.
CREATE SEQUENCE books.parked_number;

-- Rejected rounds with the reason. They are never discarded.
CREATE TABLE books.parked (
  id bigint NOT NULL DEFAULT nextval('books.parked_number') UNIQUE,
  link text NOT NULL REFERENCES books.link,
  table_id text NOT NULL,
  number bigint NOT NULL,
  round jsonb NOT NULL,
  problem jsonb NOT NULL,
  parked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (link, table_id, number)
);
SELECT books.make_append_only('books.parked');

-- Messages of tables that could not be read or booked, with the reason. `data` names a sign-on, which readers do not see.
CREATE TABLE books.parked_message (
  id bigint PRIMARY KEY DEFAULT nextval('books.parked_number'),
  -- Where NATS stored it: a message that comes again is kept once.
  origin text NOT NULL UNIQUE,
  subject text NOT NULL,
  data bytea NOT NULL,
  problem jsonb NOT NULL,
  parked_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX parked_message_by_subject ON books.parked_message (subject);
SELECT books.make_append_only('books.parked_message');

-- Ranges of round numbers that a table has skipped on a link and that are not parked. Rounds from before it joined the
-- link, or while it was on another link, are not missing.
CREATE VIEW books.gap AS
  SELECT mine.link, mine.table_id, lower(part) AS first, upper(part) - 1 AS last
    FROM books.booked_rounds AS mine,
         unnest(int8multirange(int8range(1, upper(mine.booked))) - mine.booked
                - coalesce((SELECT range_agg(int8range(number, number, '[]')) FROM books.parked
                             WHERE parked.link = mine.link AND parked.table_id = mine.table_id), '{}')
                - coalesce((SELECT range_agg(CASE WHEN other.booked && mine.booked
                                                  THEN other.booked * int8multirange(int8range(1, lower(mine.booked)))
                                                  ELSE other.booked END)
                              FROM books.booked_rounds AS other
                             WHERE other.table_id = mine.table_id AND other.link <> mine.link), '{}')) AS part
   WHERE mine.booked <> int8multirange(int8range(1, upper(mine.booked)));

-- Other messages of tables: hands pressed and cleared, rounds ended and voided.
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
SELECT books.make_append_only('books.table_fact');
SELECT books.partition_by_month('table_fact');

-- The versions of a link, each with the entry that began it and the entry that began the next one.
CREATE VIEW books.version_period AS
  SELECT link, number, booked_at, fact, fact ->> 'version' AS version,
         coalesce(lead(number) OVER later, 9223372036854775807) AS next_number, lead(booked_at) OVER later AS ended_at
    FROM (SELECT entry.link, entry.number, entry.booked_at, entry.fact::jsonb AS fact
            FROM books.link JOIN books.entry ON entry.link = link.id AND entry.kind IN ('Opened', 'Reconfigured')) AS begun
  WINDOW later AS (PARTITION BY link ORDER BY number);
GRANT SELECT ON books.version_period TO feltwork_writer, feltwork_reader;

-- The hands that were entered for the seats of a round when it ended.
CREATE VIEW books.entered_hands AS
  SELECT link, table_id, number, jsonb_object_agg(seat, hand) FILTER (WHERE kind = 'HandPressed') AS hands
    FROM (SELECT DISTINCT ON (said.link, said.table_id, said.number, fact ->> 'seat')
                 said.link, said.table_id, said.number, said.kind, fact ->> 'seat' AS seat, fact ->> 'hand' AS hand
            FROM books.table_fact AS said
            JOIN books.round_end AS ended USING (link, table_id, number)
           WHERE said.kind IN ('HandPressed', 'HandCleared') AND NOT jsonb_exists(fact, 'step')
             AND said.booked_at < ended.booked_at
           ORDER BY said.link, said.table_id, said.number, fact ->> 'seat', said.id DESC) AS last
   GROUP BY link, table_id, number;
GRANT SELECT ON books.entered_hands TO feltwork_writer, feltwork_reader;
GRANT SELECT ON books.round, books.booked_rounds, books.round_end, books.booked_round_ends, books.gap, books.parked,
  books.table_fact, books.correction
  TO feltwork_writer, feltwork_reader;
GRANT INSERT (table_id, number, link, started_at, wager, seats, entry) ON books.round TO feltwork_writer;
GRANT INSERT (table_id, number, link, ended_at, fixed, envy, entry) ON books.round_end TO feltwork_writer;
GRANT INSERT (link, table_id, number, round, problem) ON books.parked TO feltwork_writer;
GRANT INSERT (origin, subject, data, problem), SELECT ON books.parked_message TO feltwork_writer;
GRANT SELECT (id, origin, subject, problem, parked_at) ON books.parked_message TO feltwork_reader;
GRANT USAGE ON SEQUENCE books.parked_number TO feltwork_writer;
GRANT INSERT (link, table_id, number, at, kind, fact) ON books.table_fact TO feltwork_writer;
REVOKE EXECUTE ON FUNCTION books.correct_seat, books.locked_seats FROM PUBLIC;
GRANT EXECUTE ON FUNCTION books.locked_seats TO feltwork_writer, feltwork_reader;

-- Awards
-- ------

-- Awards: the fold of their facts, for commands and screens.
CREATE TABLE books.award (
  link text NOT NULL REFERENCES books.link,
  id text NOT NULL,
  table_id text NOT NULL,
  round bigint NOT NULL,
  seat smallint NOT NULL,
  hand text NOT NULL,
  claimed_by text NOT NULL,
  claimed_at bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('claimed', 'confirmed', 'paid', 'confiscated', 'voided', 'reversed')),
  level text NOT NULL,
  from_meter bigint NOT NULL CHECK (from_meter >= 0),
  from_house bigint NOT NULL CHECK (from_house >= 0),
  seed bigint NOT NULL,
  reserve bigint NOT NULL,
  locked boolean NOT NULL,
  lock_number bigint NOT NULL,
  -- Its position in the lock order of the level, and the inflow of the level's pools up to then.
  first_lock bigint NOT NULL,
  meter_inflow bigint NOT NULL,
  reserve_inflow bigint NOT NULL,
  -- The claim whose press or clearing changed its amount last.
  changed_by text NOT NULL,
  restarts boolean NOT NULL,
  supervisor text NOT NULL,
  executive text NOT NULL,
  paid_by text NOT NULL,
  cards text NOT NULL,
  -- Order of claiming.
  place bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (link, id)
);
CREATE INDEX award_open ON books.award (link) WHERE status IN ('claimed', 'confirmed');
CREATE INDEX award_by_round ON books.award (table_id, round);

-- A seat wins once per round and link.
CREATE UNIQUE INDEX award_once_a_seat ON books.award (link, table_id, round, seat)
  WHERE status IN ('claimed', 'confirmed', 'paid', 'confiscated');

-- An award only moves forward, and only as the journal records.
CREATE FUNCTION books.check_award_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = books, pg_temp AS $$
DECLARE
  recorded text;
BEGIN
  IF (OLD.id, OLD.table_id, OLD.round, OLD.seat, OLD.hand, OLD.claimed_by, OLD.claimed_at)
     IS DISTINCT FROM
     (NEW.id, NEW.table_id, NEW.round, NEW.seat, NEW.hand, NEW.claimed_by, NEW.claimed_at) THEN
    RAISE EXCEPTION 'award % of %: the claim may not change', OLD.id, OLD.link
      USING ERRCODE = 'restrict_violation';
  END IF;
  IF OLD.cards <> NEW.cards AND (OLD.cards <> '' OR NOT EXISTS (
      SELECT FROM books.unique_event WHERE link = NEW.link AND what = 'cards' AND name = NEW.id)) THEN
    RAISE EXCEPTION 'award % of %: its cards are entered once, in the journal', OLD.id, OLD.link
      USING ERRCODE = 'restrict_violation';
  END IF;
  IF OLD.status <> NEW.status THEN
    SELECT lower(unique_event.kind)
      INTO recorded FROM books.unique_event
     WHERE link = NEW.link AND name = NEW.id AND what IN ('settlement', 'payment', 'reversal')
     ORDER BY number DESC LIMIT 1;
    IF recorded IS DISTINCT FROM NEW.status THEN
      RAISE EXCEPTION 'award % of %: the journal does not record that it is %', NEW.id, NEW.link, NEW.status
        USING ERRCODE = 'check_violation';
    END IF;
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER check_award_change BEFORE UPDATE ON books.award FOR EACH ROW EXECUTE FUNCTION books.check_award_change();
CREATE TRIGGER no_delete BEFORE DELETE ON books.award FOR EACH ROW EXECUTE FUNCTION books.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON books.award
  FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();
GRANT SELECT ON books.award TO feltwork_writer, feltwork_reader;
GRANT INSERT, UPDATE ON books.award TO feltwork_writer;

-- People, sessions and sign-ons
-- -----------------------------

-- Staff.
CREATE TABLE books.person (
  id text PRIMARY KEY,
  name text NOT NULL,
  role text NOT NULL,
  badge text UNIQUE,
  -- argon2 hashes. The badge is an identifier, the PIN is the secret.
  pin_hash text,
  -- Set by the office; the person replaces it at the first use.
  pin_is_granted boolean NOT NULL DEFAULT false,
  password_hash text,
  active boolean NOT NULL DEFAULT true,
  registered_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- The languages that people have chosen for their screens; no evidence of anything.
CREATE TABLE books.person_language (
  person text PRIMARY KEY REFERENCES books.person,
  -- Empty follows the screen.
  language text NOT NULL
);

-- Tries to sign in by person and source: the address of a screen, or the table of a device key. Whoever guesses locks the
-- badge for their own source alone.
CREATE TABLE books.sign_in_source (
  person text NOT NULL REFERENCES books.person,
  source text NOT NULL,
  failed_tries integer NOT NULL DEFAULT 0,
  failed_at timestamptz,
  locked_until timestamptz,
  -- The last right try; without one, the source is unknown.
  proved_at timestamptz,
  PRIMARY KEY (person, source)
);

-- Sessions on screens and in the office.
CREATE TABLE books.session (
  -- SHA-256 of the token: reading this table does not let anyone sign in.
  token_hash text PRIMARY KEY,
  person text NOT NULL REFERENCES books.person,
  place text NOT NULL,
  began_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ends_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- When somebody last used the screen; an idle session asks for the PIN again.
  active_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- How the person authenticated.
  proof text NOT NULL DEFAULT 'PIN' CHECK (proof IN ('PIN', 'password', 'security key', 'single sign-on'))
);
CREATE INDEX session_by_person ON books.session (person);
CREATE INDEX session_open ON books.session (ends_at) WHERE ended_at IS NULL;

-- Sign-ons at tables with badge and PIN. Messages from the table's controller carry the id.
CREATE TABLE books.sign_on (
  -- SHA-256 of the id: reading this table does not let anyone send messages.
  id_hash text PRIMARY KEY,
  person text NOT NULL REFERENCES books.person,
  -- The role at sign-on. A role change ends the sign-on; earlier messages are still accepted.
  role text NOT NULL,
  table_id text NOT NULL,
  began_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ends_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE INDEX sign_on_by_person ON books.sign_on (person);
CREATE INDEX sign_on_open ON books.sign_on (ends_at) WHERE ended_at IS NULL;
GRANT SELECT, INSERT ON books.person, books.session, books.sign_on TO feltwork_writer;
GRANT UPDATE (name, role, badge, pin_hash, pin_is_granted, password_hash, active) ON books.person TO feltwork_writer;
GRANT SELECT (id, name, role, badge, active, registered_at) ON books.person TO feltwork_reader;
GRANT SELECT, INSERT, UPDATE ON books.sign_in_source, books.person_language TO feltwork_writer;
GRANT SELECT ON books.sign_in_source, books.person_language TO feltwork_reader;
GRANT UPDATE (ended_at, ends_at, active_at) ON books.session TO feltwork_writer;
GRANT UPDATE (ended_at) ON books.sign_on TO feltwork_writer;

-- Service accounts
-- ----------------

-- Machines that use the API: what each may do, as two people decided. Nobody signs in as one.
CREATE TABLE books.service_account (
  id text PRIMARY KEY,
  name text NOT NULL,
  scopes text[] NOT NULL,
  -- The tables that it may run; empty for all.
  tables text[] NOT NULL,
  active boolean NOT NULL DEFAULT true,
  registered_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Their tokens. Each was granted by a proposal that two people answered, and made once.
CREATE TABLE books.service_token (
  id text PRIMARY KEY,
  service_account text NOT NULL REFERENCES books.service_account,
  -- SHA-256 of the token: reading this table lets nobody in.
  token_hash text NOT NULL UNIQUE,
  proposal text NOT NULL UNIQUE,
  made_by text NOT NULL,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  revoked_by text,
  -- When and from where it was last shown, to the minute.
  last_used_at timestamptz,
  last_source text
);
CREATE INDEX service_token_by_account ON books.service_token (service_account);
GRANT SELECT, INSERT ON books.service_account, books.service_token TO feltwork_writer;
GRANT UPDATE (scopes, tables, active) ON books.service_account TO feltwork_writer;
GRANT UPDATE (revoked_at, revoked_by, last_used_at, last_source) ON books.service_token TO feltwork_writer;
GRANT SELECT ON books.service_account TO feltwork_reader;
GRANT SELECT (id, service_account, proposal, made_by, made_at, expires_at, revoked_at, revoked_by, last_used_at,
  last_source) ON books.service_token TO feltwork_reader;

-- Enrollments and security keys
-- -----------------------------

-- Permission from two people for a third to set a new PIN, password or security key. The secret is not part of it.
CREATE TABLE books.enrollment (
  id text PRIMARY KEY,
  person text NOT NULL REFERENCES books.person,
  what text NOT NULL CHECK (what IN ('PIN', 'password', 'security key')),
  granted_by text NOT NULL,
  approved_by text NOT NULL CHECK (approved_by <> granted_by),
  granted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  lapses_at timestamptz NOT NULL
);
CREATE INDEX enrollment_by_person ON books.enrollment (person);
SELECT books.make_append_only('books.enrollment');

-- An enrollment is used once.
CREATE TABLE books.enrollment_use (
  enrollment text PRIMARY KEY REFERENCES books.enrollment,
  in_session_of text NOT NULL,
  enrolled_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT books.make_append_only('books.enrollment_use');

-- Public keys only: reading this table does not let anyone sign in.
CREATE TABLE books.security_key (
  id text PRIMARY KEY,
  person text NOT NULL REFERENCES books.person,
  public_key bytea NOT NULL,
  enrollment text NOT NULL UNIQUE REFERENCES books.enrollment_use,
  registered_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX security_key_by_person ON books.security_key (person);
SELECT books.make_append_only('books.security_key');

-- Each use of a key with its counter. A counter that does not increase means that the key was copied.
CREATE TABLE books.security_key_use (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text NOT NULL REFERENCES books.security_key,
  counter bigint NOT NULL CHECK (counter >= 0),
  used_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX security_key_use_by_key ON books.security_key_use (key, counter);
SELECT books.make_append_only('books.security_key_use');

-- Rejects a counter that does not increase.
CREATE FUNCTION books.check_key_counter() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = books, pg_temp AS $$
DECLARE
  last bigint;
BEGIN
  PERFORM FROM books.security_key WHERE id = NEW.key FOR UPDATE;
  SELECT max(counter) INTO last FROM books.security_key_use WHERE key = NEW.key;
  -- Some keys have no counter and always report zero.
  IF NEW.counter <= last AND (NEW.counter, last) <> (0, 0) THEN
    RAISE EXCEPTION 'security key %: the counter went from % to %', NEW.key, last, NEW.counter
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER check_key_counter BEFORE INSERT ON books.security_key_use
  FOR EACH ROW EXECUTE FUNCTION books.check_key_counter();
ALTER TABLE books.security_key_use ENABLE ALWAYS TRIGGER check_key_counter;

-- Revoked keys, lost or copied.
CREATE TABLE books.security_key_revoked (
  key text PRIMARY KEY REFERENCES books.security_key,
  revoked_by text NOT NULL,
  approved_by text NOT NULL CHECK (approved_by <> revoked_by),
  why text NOT NULL,
  revoked_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT books.make_append_only('books.security_key_revoked');

-- Challenges for security keys. Each is answered once, by the holder of the ticket with this hash.
CREATE TABLE books.key_challenge (
  ticket_hash text PRIMARY KEY,
  person text NOT NULL REFERENCES books.person,
  enrollment text REFERENCES books.enrollment,
  challenge bytea NOT NULL,
  place text NOT NULL,
  lapses_at timestamptz NOT NULL,
  answered_at timestamptz
);
GRANT SELECT ON books.enrollment, books.enrollment_use, books.security_key, books.security_key_use,
  books.security_key_revoked TO feltwork_writer, feltwork_reader;
GRANT INSERT (id, person, what, granted_by, approved_by, lapses_at) ON books.enrollment TO feltwork_writer;
GRANT INSERT (enrollment, in_session_of) ON books.enrollment_use TO feltwork_writer;
GRANT INSERT (id, person, public_key, enrollment) ON books.security_key TO feltwork_writer;
GRANT INSERT (key, counter) ON books.security_key_use TO feltwork_writer;
GRANT INSERT (key, revoked_by, approved_by, why) ON books.security_key_revoked TO feltwork_writer;
GRANT SELECT, INSERT ON books.key_challenge TO feltwork_writer;
GRANT UPDATE (answered_at) ON books.key_challenge TO feltwork_writer;

-- Two-person commands
-- -------------------

-- Two-person commands that one person has proposed.
CREATE TABLE books.proposal (
  id text PRIMARY KEY,
  command text NOT NULL,
  about text NOT NULL,
  body jsonb NOT NULL,
  -- SHA-256 of the exact command that the second person approves.
  fingerprint text NOT NULL UNIQUE,
  proposed_by text NOT NULL REFERENCES books.person,
  proposed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  lapses_at timestamptz NOT NULL
);
SELECT books.make_append_only('books.proposal');

-- The one response to a proposal, by another person.
CREATE TABLE books.approval (
  proposal text PRIMARY KEY REFERENCES books.proposal,
  fingerprint text NOT NULL REFERENCES books.proposal (fingerprint),
  answered_by text NOT NULL REFERENCES books.person,
  approved boolean NOT NULL,
  answered_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT books.make_append_only('books.approval');

-- What two people have done about a parked message or round: booked it after all, or dismissed it. Once.
CREATE TABLE books.parked_answer (
  parked bigint PRIMARY KEY,
  outcome text NOT NULL CHECK (outcome IN ('booked', 'dismissed')),
  proposal text NOT NULL REFERENCES books.proposal,
  answered_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT books.make_append_only('books.parked_answer');
GRANT SELECT ON books.parked_answer TO feltwork_writer, feltwork_reader;
GRANT INSERT (parked, outcome, proposal) ON books.parked_answer TO feltwork_writer;

-- The approval names the exact command, and nobody approves their own.
CREATE FUNCTION books.check_approval() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = books, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM books.proposal WHERE id = NEW.proposal AND fingerprint = NEW.fingerprint) THEN
    RAISE EXCEPTION 'proposal %: the approval names another command', NEW.proposal
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
CREATE TRIGGER check_approval BEFORE INSERT ON books.approval FOR EACH ROW EXECUTE FUNCTION books.check_approval();
ALTER TABLE books.approval ENABLE ALWAYS TRIGGER check_approval;
GRANT SELECT ON books.proposal, books.approval TO feltwork_writer, feltwork_reader;
GRANT INSERT (id, command, about, body, fingerprint, proposed_by, lapses_at) ON books.proposal TO feltwork_writer;
GRANT INSERT (proposal, fingerprint, answered_by, approved) ON books.approval TO feltwork_writer;

-- Payout records
-- --------------

-- Payout records, written once for a confirmed award before the money moves: payee, documents shown, tax requirements.
CREATE TABLE books.payout (
  -- A correction before the payment is another row; the last one counts.
  number bigint GENERATED ALWAYS AS IDENTITY,
  link text NOT NULL,
  award text NOT NULL,
  amount bigint NOT NULL CHECK (amount >= 0),
  cards text NOT NULL,
  payee text NOT NULL,
  -- Which documents were shown, not the documents themselves.
  identity jsonb NOT NULL,
  -- The checklist by the rules of that day, with the due time of each step.
  steps jsonb NOT NULL,
  -- The tax record: forms required, why, and the amount withheld.
  flags jsonb NOT NULL,
  withheld bigint NOT NULL CHECK (withheld >= 0),
  written_by text NOT NULL,
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The casino's patron number, which distinguishes people with the same name; empty where none was given.
  patron text NOT NULL DEFAULT '',
  -- For the tax forms, and no reader, report or export: address and taxpayer number, and all who are entitled to a share.
  address text NOT NULL DEFAULT '',
  taxpayer text NOT NULL DEFAULT '',
  entitled jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (link, award, number),
  FOREIGN KEY (link, award) REFERENCES books.award (link, id)
);
SELECT books.make_append_only('books.payout');

CREATE VIEW books.payout_record AS
  SELECT DISTINCT ON (link, award) number, link, award, amount, cards, payee, identity, steps, flags, withheld, written_by,
         written_at, patron
    FROM books.payout ORDER BY link, award, number DESC;

-- Completed checklist steps, each once; what is asked about a payee, once for each record.
CREATE TABLE books.payout_step (
  link text NOT NULL,
  award text NOT NULL,
  step text NOT NULL,
  note text NOT NULL,
  done_by text NOT NULL,
  done_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Whether a look at the self-exclusion list found somebody who may be the payee.
  found boolean NOT NULL DEFAULT false,
  record bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (link, award, step, record),
  FOREIGN KEY (link, award) REFERENCES books.award (link, id)
);
SELECT books.make_append_only('books.payout_step');
GRANT SELECT ON books.payout TO feltwork_writer;
GRANT SELECT ON books.payout_record, books.payout_step TO feltwork_writer, feltwork_reader;
GRANT INSERT (link, award, amount, cards, payee, identity, steps, flags, withheld, written_by, patron,
  address, taxpayer, entitled)
  ON books.payout TO feltwork_writer;
GRANT INSERT (link, award, step, note, done_by, found, record) ON books.payout_step TO feltwork_writer;

-- The self-exclusion list in use, as keyed marks of names and birth dates: no names, no reader, and in no export [WA-36].
CREATE TABLE books.exclusion_list (
  imported_at timestamptz PRIMARY KEY DEFAULT clock_timestamp(),
  imported_by text NOT NULL,
  marks text[] NOT NULL
);
GRANT SELECT, INSERT, DELETE ON books.exclusion_list TO feltwork_writer;

-- Counts of a cashier's drawer: one opens it, the next closes it with the cash paid from it in between.
CREATE TABLE books.drawer_count (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  person text NOT NULL REFERENCES books.person,
  step text NOT NULL CHECK (step IN ('opened', 'closed')),
  opening bigint NOT NULL CHECK (opening >= 0),
  paid bigint NOT NULL CHECK (paid >= 0),
  counted bigint NOT NULL CHECK (counted >= 0),
  counted_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX drawer_count_by_person ON books.drawer_count (person, number);
SELECT books.make_append_only('books.drawer_count');
GRANT SELECT ON books.drawer_count TO feltwork_writer, feltwork_reader;
GRANT INSERT (person, step, opening, paid, counted) ON books.drawer_count TO feltwork_writer;

-- Incidents and installations
-- ---------------------------

-- Malfunctions, with the deadline to notify the regulator; null where there is none [WA-32].
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
SELECT books.make_append_only('books.incident');

-- What event to an incident: regulator notified, closed.
CREATE TABLE books.incident_step (
  incident bigint NOT NULL REFERENCES books.incident,
  step text NOT NULL CHECK (step IN ('notified', 'closed')),
  says text NOT NULL,
  done_by text NOT NULL,
  done_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (incident, step)
);
SELECT books.make_append_only('books.incident_step');

-- Software to be installed or tested live, and the notice given to the regulator.
CREATE TABLE books.installation (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  what text NOT NULL,
  begins_at timestamptz NOT NULL,
  notified_at timestamptz NOT NULL CHECK (notified_at <= begins_at),
  notice text NOT NULL,
  planned_by text NOT NULL REFERENCES books.person,
  planned_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT books.make_append_only('books.installation');

-- The outcome of an installation, recorded once.
CREATE TABLE books.installation_end (
  installation bigint PRIMARY KEY REFERENCES books.installation,
  outcome text NOT NULL CHECK (outcome IN ('done', 'cancelled')),
  says text NOT NULL,
  ended_by text NOT NULL REFERENCES books.person,
  ended_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT books.make_append_only('books.installation_end');
GRANT SELECT ON books.incident, books.incident_step, books.installation, books.installation_end
  TO feltwork_writer, feltwork_reader;
GRANT INSERT (link, table_id, what, learned_at, notify_by, opened_by) ON books.incident TO feltwork_writer;
GRANT INSERT (incident, step, says, done_by) ON books.incident_step TO feltwork_writer;
GRANT INSERT (what, begins_at, notified_at, notice, planned_by) ON books.installation TO feltwork_writer;
GRANT INSERT (installation, outcome, says, ended_by) ON books.installation_end TO feltwork_writer;

-- Training of dealers
-- -------------------

-- Exercises that the service has dealt to trainees of the school.
CREATE TABLE books.training_exercise (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  person text NOT NULL REFERENCES books.person,
  course text NOT NULL,
  -- Drawn by the service and shown to nobody: the round and its right answers follow from it.
  seed bigint NOT NULL CHECK (seed >= 1000000000),
  questions integer NOT NULL CHECK (questions > 0),
  issued_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX training_exercise_by_person ON books.training_exercise (person, course, number);
SELECT books.make_append_only('books.training_exercise');

-- Answers of trainees, as the service graded them. A question is settled once; a bet out of order stays open.
CREATE TABLE books.training_answer (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  exercise bigint NOT NULL REFERENCES books.training_exercise,
  -- The question, counted from 0.
  place integer NOT NULL CHECK (place >= 0),
  answer jsonb NOT NULL,
  correct boolean NOT NULL,
  settled boolean NOT NULL CHECK (settled OR NOT correct),
  answered_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE UNIQUE INDEX training_answer_once ON books.training_answer (exercise, place) WHERE settled;
SELECT books.make_append_only('books.training_answer');

-- Courses that a trainee has completed, with the last of the answers that did so.
CREATE TABLE books.training_completion (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  person text NOT NULL REFERENCES books.person,
  course text NOT NULL,
  last_answer bigint NOT NULL UNIQUE REFERENCES books.training_answer,
  answers integer NOT NULL,
  correct integer NOT NULL,
  -- Release and paytables that the answers were graded by.
  rules text NOT NULL,
  completed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (person, course)
);
SELECT books.make_append_only('books.training_completion');
GRANT SELECT ON books.training_exercise, books.training_answer, books.training_completion
  TO feltwork_writer, feltwork_reader;
GRANT INSERT (person, course, seed, questions) ON books.training_exercise TO feltwork_writer;
GRANT INSERT (exercise, place, answer, correct, settled) ON books.training_answer TO feltwork_writer;
GRANT INSERT (person, course, last_answer, answers, correct, rules) ON books.training_completion TO feltwork_writer;

-- Floors, access reviews, requests and the audit log
-- --------------------------------------------------

-- Registered floor files. A floor takes effect link by link, each while it is suspended [GEN-06].
CREATE TABLE books.floor (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  fingerprint text NOT NULL UNIQUE,
  body text NOT NULL,
  registered_by text NOT NULL,
  approved_by text NOT NULL CHECK (approved_by <> registered_by),
  registered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT body_is_what_was_hashed CHECK (fingerprint = encode(sha256(convert_to(body, 'UTF8')), 'hex'))
);
SELECT books.make_append_only('books.floor');

-- Independent reviews of everyone who has access.
CREATE TABLE books.access_review (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Everyone with role and badge at the time.
  people jsonb NOT NULL,
  says text NOT NULL,
  reviewed_by text NOT NULL REFERENCES books.person,
  reviewed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT books.make_append_only('books.access_review');

-- Day sheets: a gambling day as it was closed, signed with the key of the site. The last sheet of a day counts.
CREATE TABLE books.day_sheet (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  day date NOT NULL,
  -- The text that was signed: the checklist with explanations, the figures, and the ends of all chains.
  body text NOT NULL,
  signature text NOT NULL,
  closed_by text NOT NULL REFERENCES books.person,
  closed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX day_sheet_by_day ON books.day_sheet (day, number);
SELECT books.make_append_only('books.day_sheet');
GRANT SELECT ON books.day_sheet TO feltwork_writer, feltwork_reader;
GRANT INSERT (day, body, signature, closed_by) ON books.day_sheet TO feltwork_writer;

-- The first response to each request. A repeated request gets the same response; a different one under the same key is
-- rejected.
CREATE TABLE books.idempotency (
  key text PRIMARY KEY,
  body_hash text NOT NULL,
  answer jsonb,
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- The audit log of every request of a person or device: who, where, what, why, before, after.
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
SELECT books.make_append_only('books.audit');
SELECT books.partition_by_month('audit');

-- Drops a month of the audit log after its retention period, at least five years. Nothing else is ever dropped, because
-- a chain is proved from its first entry.
CREATE FUNCTION books.drop_audit_month(of_table text, month date, years integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first_day date := date_trunc('month', month)::date;
  partition text := format('%s_%s', of_table, to_char(first_day, 'YYYY_MM'));
  kept_until timestamptz := (first_day + interval '1 month' + make_interval(years => greatest(years, 5)))
                            AT TIME ZONE 'UTC';
BEGIN
  IF of_table <> 'audit' THEN
    RAISE EXCEPTION 'books.% is permanent: a chain is proved from its first entry', of_table
      USING ERRCODE = 'restrict_violation';
  END IF;
  IF kept_until > clock_timestamp() THEN
    RAISE EXCEPTION 'books.% is kept until %', partition, kept_until USING ERRCODE = 'restrict_violation';
  END IF;
  IF to_regclass('books.' || partition) IS NOT NULL THEN
    EXECUTE format('DROP TABLE books.%I', partition);
  ELSE
    -- A month without a partition of its own lies in the default partition.
    ALTER TABLE books.audit_other DISABLE TRIGGER no_update_or_delete;
    DELETE FROM books.audit_other
     WHERE booked_at >= first_day::timestamp AT TIME ZONE 'UTC'
       AND booked_at < (first_day + interval '1 month') AT TIME ZONE 'UTC';
    IF NOT FOUND THEN
      RAISE EXCEPTION 'books.% does not exist', partition USING ERRCODE = 'undefined_table';
    END IF;
    ALTER TABLE books.audit_other ENABLE ALWAYS TRIGGER no_update_or_delete;
  END IF;
  INSERT INTO books.audit (who, place, what, why)
  VALUES (session_user, 'books', 'month of the audit log dropped', format('%s, kept until %s', partition, kept_until));
END
$$;
GRANT SELECT ON books.floor, books.access_review, books.audit TO feltwork_writer, feltwork_reader;
GRANT INSERT ON books.floor TO feltwork_writer;
GRANT INSERT (people, says, reviewed_by) ON books.access_review TO feltwork_writer;
GRANT SELECT, INSERT ON books.idempotency TO feltwork_writer;
GRANT UPDATE (answer) ON books.idempotency TO feltwork_writer;
GRANT INSERT (who, place, what, why, before, after) ON books.audit TO feltwork_writer;
REVOKE EXECUTE ON FUNCTION books.drop_audit_month FROM PUBLIC;

-- Evidence: the chain of the records beside the journal
-- -----------------------------------------------------

-- One link of the chain for each record that people and devices leave: its digest, and the hash of all before. A person is
-- chained again with every change; the last one counts.
CREATE TABLE books.evidence (
  number bigint PRIMARY KEY,
  -- The table of the record, and its key there.
  kind text NOT NULL,
  key text NOT NULL,
  -- SHA-256 of what evidence_contents returns for the record.
  digest text NOT NULL,
  previous text NOT NULL,
  hash text NOT NULL,
  booked_at timestamptz NOT NULL
);
CREATE INDEX evidence_by_key ON books.evidence (kind, key, number);
CREATE INDEX evidence_by_time ON books.evidence USING brin (booked_at) WITH (pages_per_range = 32);
SELECT books.make_append_only('books.evidence');

-- The end of that chain: one row.
CREATE TABLE books.evidence_tail (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  number bigint NOT NULL DEFAULT 0,
  hash text NOT NULL DEFAULT repeat('0', 64)
) WITH (fillfactor = 50);
INSERT INTO books.evidence_tail DEFAULT VALUES;

-- What is chained of a record: who a person is, what they may do, and a digest of the hashes of PIN and password, so that
-- nobody replaces one unseen; everything else whole, but for when sessions were last used and end.
CREATE FUNCTION books.evidence_contents(kind text, record jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT (CASE kind
    WHEN 'person' THEN (SELECT jsonb_object_agg(name, record -> name)
                          FROM unnest(ARRAY['id', 'name', 'role', 'badge', 'active', 'registered_at']) AS name)
                       || jsonb_build_object('secrets', encode(sha256(convert_to(
                            concat_ws(E'\n', record ->> 'pin_hash', record ->> 'password_hash'), 'UTF8')), 'hex'))
    WHEN 'payout' THEN record - ARRAY['address', 'taxpayer', 'entitled']
    WHEN 'session' THEN record - ARRAY['ends_at', 'ended_at', 'active_at']
    WHEN 'sign_on' THEN record - ARRAY['ends_at', 'ended_at']
    WHEN 'service_token' THEN record - ARRAY['revoked_at', 'revoked_by', 'last_used_at', 'last_source']
    ELSE record END)::text
$$;

-- Appends a record to the chain when its transaction commits, so that the lock of the chain is the last one taken. Times
-- are written in UTC, whatever the time zone of the session.
CREATE FUNCTION books.chain_record() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = books, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  record jsonb := to_jsonb(NEW);
  of_kind text := TG_ARGV[0];
  of_key text := record ->> TG_ARGV[1];
  digested text := encode(sha256(convert_to(books.evidence_contents(TG_ARGV[0], to_jsonb(NEW)), 'UTF8')), 'hex');
  tail record;
BEGIN
  FOR place IN 2 .. TG_NARGS - 1 LOOP
    of_key := of_key || '/' || (record ->> TG_ARGV[place]);
  END LOOP;
  SELECT evidence_tail.number + 1 AS number, evidence_tail.hash INTO tail FROM books.evidence_tail FOR UPDATE;
  INSERT INTO books.evidence (number, kind, key, digest, previous, hash, booked_at)
  SELECT tail.number, of_kind, of_key, digested, tail.hash,
         encode(sha256(convert_to(concat_ws(E'\n', tail.number, of_kind, of_key, digested, tail.hash), 'UTF8')), 'hex'),
         clock_timestamp();
  UPDATE books.evidence_tail SET number = tail.number, hash = (SELECT hash FROM books.evidence WHERE number = tail.number);
  RETURN NULL;
END
$$;

-- Chains the rows of a table by some columns of its key.
CREATE FUNCTION books.chain_table(name text, events text, VARIADIC columns text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE CONSTRAINT TRIGGER chain_record AFTER %s ON books.%I DEFERRABLE INITIALLY DEFERRED'
                 ' FOR EACH ROW EXECUTE FUNCTION books.chain_record(%s)', events, name,
                 (SELECT string_agg(quote_literal(argument), ', ') FROM unnest(name || columns) AS argument));
  EXECUTE format('ALTER TABLE books.%I ENABLE ALWAYS TRIGGER chain_record', name);
END
$$;

-- Public keys of the site, which sign bundles and the chain heads of each day.
CREATE TABLE books.site_key (
  public_key text PRIMARY KEY,
  registered_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT books.make_append_only('books.site_key');

-- The first key is registered by whoever signs first; only the owner of the books replaces it.
CREATE FUNCTION books.check_site_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM books.site_key) AND NOT pg_has_role(current_user, 'feltwork_owner', 'MEMBER') THEN
    RAISE EXCEPTION 'the site has a key, and only the owner of the books registers another'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER check_site_key BEFORE INSERT ON books.site_key
  FOR EACH ROW EXECUTE FUNCTION books.check_site_key();
ALTER TABLE books.site_key ENABLE ALWAYS TRIGGER check_site_key;
GRANT SELECT ON books.site_key TO feltwork_writer, feltwork_reader;
GRANT INSERT (public_key) ON books.site_key TO feltwork_writer;

-- The ends of all chains at the close of each gambling day, signed with the key of the site.
CREATE TABLE books.day_head (
  day date PRIMARY KEY,
  ended_at timestamptz NOT NULL,
  -- The text that was signed.
  body text NOT NULL,
  signature text NOT NULL,
  signed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT books.make_append_only('books.day_head');

-- Timestamps of day heads by authorities outside (RFC 3161).
CREATE TABLE books.day_anchor (
  day date NOT NULL REFERENCES books.day_head,
  authority text NOT NULL,
  token bytea NOT NULL,
  anchored_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (day, authority)
);
SELECT books.make_append_only('books.day_anchor');

-- Copies of day heads that were sent to somebody outside, such as the regulator.
CREATE TABLE books.day_copy (
  day date NOT NULL REFERENCES books.day_head,
  receiver text NOT NULL,
  sent_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (day, receiver)
);
SELECT books.make_append_only('books.day_copy');
GRANT SELECT ON books.day_head, books.day_anchor, books.day_copy TO feltwork_writer, feltwork_reader;
GRANT INSERT (day, receiver) ON books.day_copy TO feltwork_writer;
GRANT INSERT (day, ended_at, body, signature) ON books.day_head TO feltwork_writer;
GRANT INSERT (day, authority, token) ON books.day_anchor TO feltwork_writer;
SELECT books.chain_table('site_key', 'INSERT', 'public_key'),
       books.chain_table('person', 'INSERT OR UPDATE OF name, role, badge, active, pin_hash, password_hash', 'id'),
       books.chain_table('session', 'INSERT', 'token_hash'),
       books.chain_table('sign_on', 'INSERT', 'id_hash'),
       books.chain_table('service_account', 'INSERT OR UPDATE OF scopes, tables, active', 'id'),
       books.chain_table('service_token', 'INSERT', 'id'),
       books.chain_table('enrollment', 'INSERT', 'id'),
       books.chain_table('enrollment_use', 'INSERT', 'enrollment'),
       books.chain_table('security_key', 'INSERT', 'id'),
       books.chain_table('security_key_revoked', 'INSERT', 'key'),
       books.chain_table('proposal', 'INSERT', 'id'),
       books.chain_table('approval', 'INSERT', 'proposal'),
       books.chain_table('payout', 'INSERT', 'link', 'award', 'number'),
       books.chain_table('payout_step', 'INSERT', 'link', 'award', 'step', 'record'),
       books.chain_table('drawer_count', 'INSERT', 'number'),
       books.chain_table('incident', 'INSERT', 'number'),
       books.chain_table('incident_step', 'INSERT', 'incident', 'step'),
       books.chain_table('installation', 'INSERT', 'number'),
       books.chain_table('installation_end', 'INSERT', 'installation'),
       books.chain_table('training_completion', 'INSERT', 'number'),
       books.chain_table('access_review', 'INSERT', 'number'),
       books.chain_table('day_sheet', 'INSERT', 'number'),
       books.chain_table('floor', 'INSERT', 'number'),
       books.chain_table('audit', 'INSERT', 'id');
GRANT SELECT ON books.evidence, books.evidence_tail TO feltwork_writer, feltwork_reader;
REVOKE EXECUTE ON FUNCTION books.chain_record, books.chain_table FROM PUBLIC;
GRANT EXECUTE ON FUNCTION books.evidence_contents TO feltwork_writer, feltwork_reader;

-- Bookkeeper: alarms, the change feed and the self-check
-- ------------------------------------------------------

-- Alarms, such as a skipped round number or an unreadable message. One is open for each kind and place; every change is
-- also in the audit log.
CREATE TABLE books.alarm (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  place text NOT NULL,
  details jsonb NOT NULL,
  raised_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  cleared_at timestamptz,
  cleared_by text,
  CHECK ((cleared_at IS NULL) = (cleared_by IS NULL))
);
CREATE UNIQUE INDEX alarm_open ON books.alarm (kind, place) WHERE cleared_at IS NULL;
CREATE TRIGGER no_delete BEFORE DELETE ON books.alarm FOR EACH ROW EXECUTE FUNCTION books.refuse_change();

-- What somebody should hear about: an open claim, a large hit, an alarm, a stopped link. Each is recorded once, before it is
-- sent to anyone.
CREATE TABLE books.notification (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event text NOT NULL CHECK (event IN ('claim', 'hit', 'alarm', 'stopped_link')),
  -- The claim, hit, alarm or stop, so that a restart does not record it again.
  subject text NOT NULL,
  title text NOT NULL,
  text text NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (event, subject)
);
CREATE INDEX notification_by_time ON books.notification (recorded_at);
SELECT books.make_append_only('books.notification');

-- Messages about it, one for each recipient. A row is written before its message is sent.
CREATE TABLE books.notification_delivery (
  notification bigint NOT NULL REFERENCES books.notification,
  recipient text NOT NULL,
  -- Who had not acknowledged it in time; empty for those who are told first.
  escalated_from text NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  tries integer NOT NULL DEFAULT 0,
  -- Nobody tries again before; whoever tries takes it for some minutes.
  next_try_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  sent_at timestamptz,
  -- Why the last try failed.
  problem text NOT NULL DEFAULT '',
  PRIMARY KEY (notification, recipient)
);
CREATE INDEX notification_delivery_by_time ON books.notification_delivery (recorded_at);
CREATE TRIGGER no_delete BEFORE DELETE ON books.notification_delivery
  FOR EACH ROW EXECUTE FUNCTION books.refuse_change();

-- Endpoints of other systems that are told of events, as two people decided.
CREATE TABLE books.webhook (
  id text PRIMARY KEY,
  url text NOT NULL,
  events text[] NOT NULL,
  proposal text NOT NULL UNIQUE,
  registered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  removed_at timestamptz,
  -- It signs messages, so it is kept itself and not a hash; empty until it is made, and never read by a reader.
  secret text NOT NULL DEFAULT ''
);
CREATE TRIGGER no_delete BEFORE DELETE ON books.webhook FOR EACH ROW EXECUTE FUNCTION books.refuse_change();
GRANT SELECT ON books.webhook TO feltwork_writer;
GRANT SELECT (id, url, events, proposal, registered_at, removed_at) ON books.webhook TO feltwork_reader;
GRANT INSERT (id, url, events, proposal) ON books.webhook TO feltwork_writer;
GRANT UPDATE (removed_at, secret) ON books.webhook TO feltwork_writer;

-- Who answers for it, and since when; it ends the escalation.
CREATE TABLE books.notification_acknowledgment (
  notification bigint PRIMARY KEY REFERENCES books.notification,
  person text NOT NULL REFERENCES books.person,
  acknowledged_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT books.make_append_only('books.notification_acknowledgment');
GRANT SELECT ON books.notification, books.notification_delivery, books.notification_acknowledgment
  TO feltwork_writer, feltwork_reader;
GRANT INSERT (event, subject, title, text) ON books.notification TO feltwork_writer;
GRANT INSERT (notification, recipient, escalated_from) ON books.notification_delivery TO feltwork_writer;
GRANT UPDATE (tries, next_try_at, sent_at, problem) ON books.notification_delivery TO feltwork_writer;
GRANT INSERT (notification, person) ON books.notification_acknowledgment TO feltwork_writer;

-- Where the tables stand on the floor plan: the last arrangement counts.
CREATE TABLE books.floor_plan (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  places jsonb NOT NULL,
  arranged_by text NOT NULL REFERENCES books.person,
  arranged_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT books.make_append_only('books.floor_plan');
GRANT SELECT ON books.floor_plan TO feltwork_writer, feltwork_reader;
GRANT INSERT (places, arranged_by) ON books.floor_plan TO feltwork_writer;

-- The last entry of each link whose result was published to the tables.
CREATE TABLE books.change_feed_position (
  link text PRIMARY KEY REFERENCES books.link,
  number bigint NOT NULL
);

-- How far the FELT stream of each NATS domain is booked. A bookkeeper writes it every second, so after a restore it is
-- not later than the books, and the stream is read again from there.
CREATE TABLE books.stream_position (
  link text NOT NULL REFERENCES books.link,
  domain text NOT NULL,
  -- When the stream was created: a new stream numbers its messages from 1 again.
  stream_created timestamptz NOT NULL,
  sequence bigint NOT NULL,
  PRIMARY KEY (link, domain)
);

-- The last checked entry of each link and its balances; the next check starts there.
CREATE TABLE books.self_check (
  link text PRIMARY KEY REFERENCES books.link,
  number bigint NOT NULL,
  hash text NOT NULL,
  balances jsonb NOT NULL,
  checked_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON books.alarm, books.change_feed_position, books.stream_position, books.self_check
  TO feltwork_writer, feltwork_reader;
GRANT INSERT (kind, place, details) ON books.alarm TO feltwork_writer;
GRANT UPDATE (details, cleared_at, cleared_by) ON books.alarm TO feltwork_writer;
GRANT INSERT, UPDATE ON books.change_feed_position, books.stream_position, books.self_check TO feltwork_writer;

-- Views
-- -----

-- Every manual change to a meter or reserve, with both people, the reason and the evidence.
CREATE VIEW books.adjustment AS
  SELECT entry.link, entry.number AS entry, entry.booked_at, adjusted.fact ->> 'adjustment' AS adjustment,
         coalesce(adjusted.fact ->> 'reason', '') AS reason, coalesce(adjusted.fact ->> 'text', '') AS text,
         adjusted.fact ->> 'evidence' AS evidence, coalesce(adjusted.fact ->> 'award', '') AS award,
         coalesce(adjusted.fact ->> 'pool', 'meter') AS pool, adjusted.fact ->> 'level' AS level,
         (adjusted.fact ->> 'before')::bigint AS before, (adjusted.fact ->> 'after')::bigint AS after,
         coalesce((adjusted.fact ->> 'after')::bigint - (adjusted.fact ->> 'before')::bigint,
                  (adjusted.fact ->> 'to_meter')::bigint - (adjusted.fact ->> 'seed')::bigint
                  - (adjusted.fact ->> 'reserve')::bigint) AS change,
         adjusted.fact ->> 'by' AS asked_by, adjusted.fact ->> 'approved_by' AS approved_by
    FROM books.entry, LATERAL (SELECT entry.fact::jsonb AS fact) AS adjusted
   WHERE entry.kind ^@ 'Adjusted.' OR entry.kind = 'Reversed';

-- The progress of each trainee in each course: all answers, and the correct ones since the last mistake.
CREATE VIEW books.training_progress AS
  WITH answered AS (
    SELECT exercise.person, exercise.course, exercise.number AS exercise, answer.number AS answer, answer.correct,
           answer.answered_at,
           max(answer.number) FILTER (WHERE NOT answer.correct)
             OVER (PARTITION BY exercise.person, exercise.course) AS last_mistake
      FROM books.training_exercise AS exercise
      LEFT JOIN books.training_answer AS answer ON answer.exercise = exercise.number
  )
  SELECT person, course, count(DISTINCT exercise) AS exercises, count(answer) AS answers,
         count(*) FILTER (WHERE answered.correct) AS correct,
         count(*) FILTER (WHERE answered.correct AND answer > coalesce(last_mistake, 0)) AS in_a_row,
         max(answered_at) AS last_answered_at, completion.number AS completion, completion.completed_at
    FROM answered
    LEFT JOIN books.training_completion AS completion USING (person, course)
   GROUP BY person, course, completion.number, completion.completed_at;

-- Records that people wrote beside the journal, each with its kind, time and contents; kept for years and exported.
CREATE VIEW books.record AS
  SELECT 'payout' AS kind, written_at AS at, to_jsonb(payout) - ARRAY['address', 'taxpayer', 'entitled'] AS contents
    FROM books.payout
  UNION ALL SELECT 'payout step', done_at, to_jsonb(payout_step) FROM books.payout_step
  UNION ALL SELECT 'drawer count', counted_at, to_jsonb(drawer_count) FROM books.drawer_count
  UNION ALL SELECT 'incident', opened_at, to_jsonb(incident) FROM books.incident
  UNION ALL SELECT 'incident step', done_at, to_jsonb(incident_step) FROM books.incident_step
  UNION ALL SELECT 'installation', planned_at, to_jsonb(installation) FROM books.installation
  UNION ALL SELECT 'installation end', ended_at, to_jsonb(installation_end) FROM books.installation_end
  UNION ALL SELECT 'training answer', answered_at, to_jsonb(training_answer) FROM books.training_answer
  UNION ALL SELECT 'training completion', completed_at, to_jsonb(training_completion) FROM books.training_completion
  UNION ALL SELECT 'access review', reviewed_at, to_jsonb(access_review) FROM books.access_review
  UNION ALL SELECT 'day sheet', closed_at, to_jsonb(day_sheet) FROM books.day_sheet
  UNION ALL SELECT 'notification', recorded_at, to_jsonb(notification) FROM books.notification
  UNION ALL SELECT 'notification delivery', recorded_at, to_jsonb(notification_delivery)
              FROM books.notification_delivery
  UNION ALL SELECT 'notification acknowledgment', acknowledged_at, to_jsonb(notification_acknowledgment)
              FROM books.notification_acknowledgment
  UNION ALL SELECT 'proposal', proposed_at, to_jsonb(proposal) FROM books.proposal
  UNION ALL SELECT 'approval', answered_at, to_jsonb(approval) FROM books.approval
  UNION ALL SELECT 'floor', registered_at, to_jsonb(floor) FROM books.floor;

-- The records that are chained, as the chain digests them in a session with UTC.
CREATE VIEW books.evidence_record AS
  SELECT kind, key, at, books.evidence_contents(kind, record) AS contents FROM (
    SELECT 'person' AS kind, id AS key, registered_at AS at, to_jsonb(person) AS record FROM books.person
    UNION ALL SELECT 'site_key', public_key, registered_at, to_jsonb(site_key) FROM books.site_key
    UNION ALL SELECT 'session', token_hash, began_at, to_jsonb(session) FROM books.session
    UNION ALL SELECT 'sign_on', id_hash, began_at, to_jsonb(sign_on) FROM books.sign_on
    UNION ALL SELECT 'service_account', id, registered_at, to_jsonb(service_account) FROM books.service_account
    UNION ALL SELECT 'service_token', id, made_at, to_jsonb(service_token) FROM books.service_token
    UNION ALL SELECT 'enrollment', id, granted_at, to_jsonb(enrollment) FROM books.enrollment
    UNION ALL SELECT 'enrollment_use', enrollment, enrolled_at, to_jsonb(enrollment_use) FROM books.enrollment_use
    UNION ALL SELECT 'security_key', id, registered_at, to_jsonb(security_key) FROM books.security_key
    UNION ALL SELECT 'security_key_revoked', key, revoked_at, to_jsonb(security_key_revoked)
                FROM books.security_key_revoked
    UNION ALL SELECT 'proposal', id, proposed_at, to_jsonb(proposal) FROM books.proposal
    UNION ALL SELECT 'approval', proposal, answered_at, to_jsonb(approval) FROM books.approval
    UNION ALL SELECT 'payout', link || '/' || award || '/' || number, written_at, to_jsonb(payout) FROM books.payout
    UNION ALL SELECT 'payout_step', link || '/' || award || '/' || step || '/' || record, done_at, to_jsonb(payout_step)
                FROM books.payout_step
    UNION ALL SELECT 'drawer_count', number::text, counted_at, to_jsonb(drawer_count) FROM books.drawer_count
    UNION ALL SELECT 'incident', number::text, opened_at, to_jsonb(incident) FROM books.incident
    UNION ALL SELECT 'incident_step', incident || '/' || step, done_at, to_jsonb(incident_step)
                FROM books.incident_step
    UNION ALL SELECT 'installation', number::text, planned_at, to_jsonb(installation) FROM books.installation
    UNION ALL SELECT 'installation_end', installation::text, ended_at, to_jsonb(installation_end)
                FROM books.installation_end
    UNION ALL SELECT 'training_completion', number::text, completed_at, to_jsonb(training_completion)
                FROM books.training_completion
    UNION ALL SELECT 'access_review', number::text, reviewed_at, to_jsonb(access_review) FROM books.access_review
    UNION ALL SELECT 'day_sheet', number::text, closed_at, to_jsonb(day_sheet) FROM books.day_sheet
    UNION ALL SELECT 'floor', number::text, registered_at, to_jsonb(floor) FROM books.floor
    UNION ALL SELECT 'audit', id::text, booked_at, to_jsonb(audit) FROM books.audit
  ) AS chained;
GRANT SELECT ON books.adjustment, books.training_progress, books.record, books.evidence_record TO feltwork_writer, feltwork_reader;

-- Last steps
-- ----------
SELECT books.make_partitions(current_date, books.months_ahead());
RESET ROLE;

-- Whoever serves the books looks whether their schema is the one it knows.
GRANT SELECT ON feltwork_schema TO feltwork_writer, feltwork_reader;
