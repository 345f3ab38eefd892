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

-- Journals are never changed: not by the writer, not by the owner, not by a superuser who forgets himself.
CREATE FUNCTION books.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of books.% is refused: what is booked stays booked', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation', HINT = 'book a correction beside it';
END
$$;

-- Makes a table append-only, whatever session_replication_role says.
CREATE FUNCTION books.make_append_only(name regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE ON %s'
                 ' FOR EACH ROW EXECUTE FUNCTION books.refuse_change()', name);
  EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER never_changed', name);
  EXECUTE format('CREATE TRIGGER never_emptied BEFORE TRUNCATE ON %s'
                 ' FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change()', name);
  EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER never_emptied', name);
END
$$;

-- Monthly partitions
-- ------------------

-- The big tables, which are partitioned by month of booking.
CREATE TABLE books.partitioned (
  name text PRIMARY KEY
);

-- Makes the partitions of a month, and of those after it, that are missing. What has no month yet goes to the
-- default partition, so that nothing is ever turned away for want of one; a month that already has rows there
-- stays there.
CREATE FUNCTION books.make_partitions(first_day date, months integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = books, pg_temp AS $$
DECLARE
  parent text;
  month date;
  partition text;
  taken boolean;
  made integer := 0;
BEGIN
  FOR parent IN SELECT name FROM books.partitioned ORDER BY name LOOP
    FOR step IN 0 .. months - 1 LOOP
      month := (date_trunc('month', first_day) + make_interval(months => step))::date;
      partition := format('%s_%s', parent, to_char(month, 'YYYY_MM'));
      CONTINUE WHEN to_regclass('books.' || partition) IS NOT NULL;
      EXECUTE format(
        'SELECT EXISTS (SELECT FROM books.%I WHERE booked_at >= %L AND booked_at < %L)',
        parent || '_other', month || ' UTC', (month + interval '1 month')::date || ' UTC') INTO taken;
      CONTINUE WHEN taken;
      EXECUTE format(
        'CREATE TABLE books.%I PARTITION OF books.%I FOR VALUES FROM (%L) TO (%L)',
        partition, parent, month || ' UTC', (month + interval '1 month')::date || ' UTC');
      PERFORM books.guard_partition(parent, partition);
      made := made + 1;
    END LOOP;
  END LOOP;
  RETURN made;
END
$$;

-- Gives a partition what it does not have from its parent: a statement that names a partition fires no statement
-- trigger of the parent, and storage is its own.
CREATE FUNCTION books.guard_partition(parent text, partition text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.%I'
                 ' FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change()', partition);
  EXECUTE format('ALTER TABLE books.%I ENABLE ALWAYS TRIGGER never_emptied', partition);
  IF parent = 'round' THEN
    EXECUTE format('CREATE TRIGGER numbered AFTER INSERT ON books.%I REFERENCING NEW TABLE AS fresh'
                   ' FOR EACH STATEMENT EXECUTE FUNCTION books.number_rounds()', partition);
    EXECUTE format('ALTER TABLE books.%I ENABLE ALWAYS TRIGGER numbered', partition);
  ELSIF parent = 'entry' THEN
    -- The fact of a batch of many tables still fits beside its body; a row apart would cost more.
    EXECUTE format('ALTER TABLE books.%I SET (toast_tuple_target = 8160)', partition);
  ELSIF parent = 'round_end' THEN
    EXECUTE format('CREATE TRIGGER ended AFTER INSERT ON books.%I REFERENCING NEW TABLE AS fresh'
                   ' FOR EACH STATEMENT EXECUTE FUNCTION books.number_ends()', partition);
    EXECUTE format('ALTER TABLE books.%I ENABLE ALWAYS TRIGGER ended', partition);
  END IF;
END
$$;

-- Puts a table on the list, with its default partition.
CREATE FUNCTION books.partition_by_month(parent text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO books.partitioned VALUES (parent);
  EXECUTE format('CREATE TABLE books.%I PARTITION OF books.%I DEFAULT', parent || '_other', parent);
  PERFORM books.guard_partition(parent, parent || '_other');
END
$$;
REVOKE EXECUTE ON FUNCTION books.make_partitions, books.guard_partition, books.make_append_only,
  books.partition_by_month FROM PUBLIC;
GRANT EXECUTE ON FUNCTION books.make_partitions TO feltwork_writer;

-- Links and their versions
-- ------------------------

-- A link, progressive or house: each has a chain of its own.
CREATE TABLE books.link (
  id text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('progressive', 'house')),
  registered_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT books.make_append_only('books.link');

-- Every configuration that a link has had or may get; which one is in force is a fact of the journal.
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

-- Where each chain ends. An entry is appended by moving the end, so that (link, number) is unique for ever
-- and every entry follows the one before, across all partitions.
CREATE TABLE books.chain_tail (
  link text PRIMARY KEY REFERENCES books.link,
  number bigint NOT NULL DEFAULT 0,
  hash text NOT NULL DEFAULT repeat('0', 64),
  -- Wagers and tray pays that entries have posted and no round covers yet; 0 whenever a transaction ends.
  uncovered bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- One fact each. The body is the canonical text that was hashed: all other columns are read from it.
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

-- Compressing the texts would cost a batch more than writing them.
ALTER TABLE books.entry ALTER body SET STORAGE EXTERNAL, ALTER fact SET STORAGE EXTERNAL;
SELECT books.make_append_only('books.entry');
SELECT books.partition_by_month('entry');

-- What an account holds. The accounts of tables (patrons, tray) are kept together for the link: a batch of
-- many tables then moves a handful of rows, and all rows of a link still sum to nothing.
CREATE TABLE books.balance (
  link text NOT NULL REFERENCES books.link,
  account text NOT NULL,
  amount bigint NOT NULL,
  PRIMARY KEY (link, account),
  CONSTRAINT players_money_never_below_zero
    CHECK (amount >= 0 OR split_part(account, '/', 1) NOT IN ('meter', 'reserve', 'payable'))
) WITH (fillfactor = 50);

-- The ways that money may take: for each kind of entry, which kinds of accounts may give and which may get.
CREATE TABLE books.lawful (
  kind text NOT NULL,
  account_kind text NOT NULL,
  gives boolean NOT NULL,
  gets boolean NOT NULL,
  PRIMARY KEY (kind, account_kind)
);
INSERT INTO books.lawful (kind, account_kind, gives, gets) VALUES
  ('Adjusted.CAP_CORRECTION', 'meter', true, false),
  ('Adjusted.CAP_CORRECTION', 'reserve', false, true),
  ('Adjusted.HOUSE_ADDITION', 'house_pays', true, false),
  ('Adjusted.HOUSE_ADDITION', 'meter', false, true),
  ('Adjusted.HOUSE_ADDITION', 'reserve', false, true),
  ('Adjusted.MALFUNCTION_CORRECTION', 'correction', true, true),
  ('Adjusted.MALFUNCTION_CORRECTION', 'meter', true, true),
  ('Adjusted.MALFUNCTION_CORRECTION', 'reserve', true, true),
  ('Adjusted.MERCHANDISE', 'merchandise', false, true),
  ('Adjusted.MERCHANDISE', 'reserve', true, false),
  ('Adjusted.NON_DISPLAYED_TO_GROSS_RECEIPTS', 'gross_receipts', false, true),
  ('Adjusted.NON_DISPLAYED_TO_GROSS_RECEIPTS', 'reserve', true, false),
  ('Adjusted.SEED_RECOVERY', 'meter', true, false),
  ('Adjusted.SEED_RECOVERY', 'reserve', true, false),
  ('Adjusted.SEED_RECOVERY', 'seed_advanced', false, true),
  ('Confirmed', 'payable', false, true),
  ('Confirmed', 'pending', true, false),
  ('Contributed', 'retention', false, true),
  ('Contributed', 'meter', false, true),
  ('Contributed', 'patrons', true, false),
  ('Contributed', 'reserve', false, true),
  ('Locked', 'house_pays', true, false),
  ('Locked', 'meter', true, true),
  ('Locked', 'pending', false, true),
  ('Locked', 'reserve', true, false),
  ('Locked', 'seed_advanced', true, false),
  ('Misdealt', 'retention', true, false),
  ('Misdealt', 'meter', true, false),
  ('Misdealt', 'patrons', false, true),
  ('Misdealt', 'reserve', true, false),
  ('Opened', 'meter', false, true),
  ('Opened', 'seed_advanced', true, false),
  ('Paid', 'patrons', false, true),
  ('Paid', 'payable', true, false),
  ('PaidFromTray', 'patrons', false, true),
  ('PaidFromTray', 'tray', true, false),
  ('Received', 'clearing', true, false),
  ('Received', 'meter', false, true),
  ('Received', 'reserve', false, true),
  ('Overflowed', 'meter', true, false),
  ('Overflowed', 'reserve', false, true),
  ('Released', 'house_pays', false, true),
  ('Released', 'meter', true, true),
  ('Released', 'pending', true, false),
  ('Released', 'reserve', false, true),
  ('Released', 'seed_advanced', false, true),
  ('Removed', 'clearing', false, true),
  ('Removed', 'meter', true, false),
  ('Removed', 'reserve', true, false),
  ('Reversed', 'house_pays', false, true),
  ('Reversed', 'meter', true, true),
  ('Reversed', 'patrons', true, false),
  ('Reversed', 'payable', true, false),
  ('Reversed', 'reserve', false, true),
  ('Reversed', 'seed_advanced', false, true),
  ('WagerAdded', 'retention', false, true),
  ('WagerAdded', 'meter', false, true),
  ('WagerAdded', 'patrons', true, false),
  ('WagerAdded', 'reserve', false, true),
  ('WagerReturned', 'retention', true, false),
  ('WagerReturned', 'meter', true, false),
  ('WagerReturned', 'patrons', false, true),
  ('WagerReturned', 'reserve', true, false);

-- What may happen once only, and which entry it was.
CREATE TABLE books.once (
  link text NOT NULL REFERENCES books.link,
  what text NOT NULL,
  name text NOT NULL,
  number bigint NOT NULL,
  kind text NOT NULL,
  PRIMARY KEY (link, what, name)
);
SELECT books.make_append_only('books.once');

-- What a link's facts fold to besides its balances: kept, so that no command reads the journal.
CREATE TABLE books.standing (
  link text PRIMARY KEY REFERENCES books.link,
  number bigint NOT NULL DEFAULT 0,
  version text NOT NULL,
  state jsonb NOT NULL
) WITH (fillfactor = 50);

-- What may happen once, or only after something else: a claim is settled once, paid and reversed once after it
-- was confirmed; an adjustment, a misdeal, an opening and a removal happen once.
CREATE FUNCTION books.happen_once(entry books.entry, refs jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  awarded text := refs ->> 'award';
  fact jsonb := CASE WHEN entry.kind = 'Received' THEN entry.fact::jsonb END;
  settled text;
BEGIN
  IF entry.kind IN ('Confirmed', 'Voided', 'Locked', 'Released') AND NOT EXISTS (
      SELECT FROM books.once WHERE link = entry.link AND what = 'claim' AND name = awarded) THEN
    RAISE EXCEPTION '%: there is no claim % to be %', entry.link, awarded, lower(entry.kind)
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  IF entry.kind IN ('Paid', 'Reversed') THEN
    SELECT kind INTO settled FROM books.once
     WHERE link = entry.link AND what = 'settlement' AND name = awarded;
    IF settled IS DISTINCT FROM 'Confirmed' THEN
      RAISE EXCEPTION '%: award % is not confirmed', entry.link, awarded
        USING ERRCODE = 'foreign_key_violation';
    END IF;
  END IF;
  INSERT INTO books.once (link, what, name, number, kind)
  SELECT entry.link, happened.what, happened.name, entry.number, entry.kind
    FROM (VALUES
      ('Claimed', 'claim', awarded),
      ('Confirmed', 'settlement', awarded),
      ('Voided', 'settlement', awarded),
      ('Paid', 'payment', awarded),
      ('Reversed', 'reversal', awarded),
      ('Reversed', 'adjustment', refs ->> 'adjustment'),
      ('Adjusted', 'adjustment', refs ->> 'adjustment'),
      ('Misdealt', 'misdeal', (refs ->> 'table') || '/' || (refs ->> 'round')),
      ('Opened', 'opening', ''),
      ('Removed', 'removal', ''),
      ('Received', 'receipt', fact ->> 'source')
    ) AS happened (kind, what, name)
   WHERE happened.kind = split_part(entry.kind, '.', 1);
END
$$;

-- A new version takes effect only while the link is suspended, and only one that was registered [GEN-06].
CREATE FUNCTION books.reconfigure_closed(entry books.entry, refs jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM books.standing
                  WHERE link = entry.link AND jsonb_exists(state -> 'stops', 'suspended')) THEN
    RAISE EXCEPTION '%: a new version takes effect on a suspended link only', entry.link
      USING ERRCODE = 'check_violation';
  END IF;
  IF NOT EXISTS (SELECT FROM books.version
                  WHERE link = entry.link AND fingerprint = refs ->> 'version') THEN
    RAISE EXCEPTION '%: version % is not registered', entry.link, refs ->> 'version'
      USING ERRCODE = 'foreign_key_violation';
  END IF;
END
$$;

-- A house jackpot has no pool that player money could feed, and only it posts amounts [WA-01].
CREATE FUNCTION books.keep_kind(of_link text, entry_kind text, accounts text[]) RETURNS void
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

-- Moves the balances of a link. Postings to trays arrive folded.
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

-- Appends an entry: reads its columns off the body, moves the chain, checks the ways of money and moves the
-- balances. Whoever inserts gives a body and a fact, and nothing else counts.
CREATE FUNCTION books.append() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = books, pg_temp AS $$
DECLARE
  body jsonb := NEW.body::jsonb;
  refs jsonb := body -> 'references';
  accounts text[];
  amounts bigint[];
  total bigint;
  taken bigint := 0;
  wrong text;
BEGIN
  NEW.link := body ->> 'link';
  NEW.number := (body ->> 'number')::bigint;
  NEW.previous := body ->> 'previous';
  NEW.at := (body ->> 'at')::bigint;
  NEW.kind := body ->> 'kind';
  NEW.hash := encode(sha256(convert_to(NEW.body, 'UTF8')), 'hex');
  IF encode(sha256(convert_to(NEW.fact, 'UTF8')), 'hex') IS DISTINCT FROM refs ->> 'fact' THEN
    RAISE EXCEPTION 'entry % of %: its fact is not the one that its body names', NEW.number, NEW.link
      USING ERRCODE = 'check_violation';
  END IF;

  SELECT array_agg(moved.account), array_agg(moved.amount), sum(moved.amount),
         min(moved.account) FILTER (
           WHERE NOT coalesce(CASE WHEN moved.amount < 0 THEN way.gives ELSE way.gets END, false))
    INTO accounts, amounts, total, wrong
    FROM (
      SELECT CASE WHEN posting ->> 0 ^@ 'tray/' THEN 'tray' ELSE posting ->> 0 END AS account,
             sum((posting -> 1)::bigint)::bigint AS amount
        FROM jsonb_array_elements(body -> 'postings') AS posting
       GROUP BY 1
    ) AS moved
    LEFT JOIN books.lawful AS way
      ON way.kind = NEW.kind AND way.account_kind = split_part(moved.account, '/', 1);
  IF total <> 0 THEN
    RAISE EXCEPTION 'entry % of %: its postings do not balance', NEW.number, NEW.link
      USING ERRCODE = 'check_violation';
  END IF;
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'entry % of %: % may not move % this way', NEW.number, NEW.link, NEW.kind, wrong
      USING ERRCODE = 'check_violation';
  END IF;

  IF NEW.kind = 'Contributed' THEN
    taken := coalesce(-amounts[array_position(accounts, 'patrons/' || NEW.link)], 0);
  ELSIF NEW.kind = 'PaidFromTray' THEN
    taken := coalesce(-amounts[array_position(accounts, 'tray')], 0);
  ELSE
    PERFORM books.happen_once(NEW, refs);
  END IF;
  IF NEW.kind = 'Reconfigured' THEN
    PERFORM books.reconfigure_closed(NEW, refs);
  ELSIF NEW.kind IN ('WagerAdded', 'WagerReturned') THEN
    PERFORM books.correct_seat(NEW, abs(amounts[array_position(accounts, 'patrons/' || NEW.link)]));
  END IF;
  PERFORM books.keep_kind(NEW.link, NEW.kind, accounts);

  UPDATE books.chain_tail SET number = NEW.number, hash = NEW.hash, uncovered = uncovered + taken
   WHERE link = NEW.link AND number = NEW.number - 1 AND hash = NEW.previous;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'entry % of %: it does not follow the last one', NEW.number, NEW.link
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'chain', HINT = 'take the lock of the link first';
  END IF;
  IF accounts IS NOT NULL THEN
    PERFORM books.move_balances(NEW.link, accounts, amounts);
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER append BEFORE INSERT ON books.entry FOR EACH ROW EXECUTE FUNCTION books.append();
ALTER TABLE books.entry ENABLE ALWAYS TRIGGER append;

-- At the end of a transaction every wager and tray pay that was posted is that of a booked round [WA-05].
CREATE FUNCTION books.covered() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = books, pg_temp AS $$
DECLARE
  missing bigint;
BEGIN
  SELECT uncovered INTO missing FROM books.chain_tail WHERE link = NEW.link;
  IF missing <> 0 THEN
    RAISE EXCEPTION '%: % micros are posted without their rounds', NEW.link, missing
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER covered AFTER UPDATE ON books.chain_tail DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.uncovered <> 0) EXECUTE FUNCTION books.covered();

-- The kept fold follows the chain, and its counters never go back [GEN-02].
CREATE FUNCTION books.stand() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = books, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM books.chain_tail WHERE link = NEW.link AND number = NEW.number) THEN
    RAISE EXCEPTION '%: a state belongs to the last entry', NEW.link USING ERRCODE = 'check_violation';
  END IF;
  IF EXISTS (
      SELECT FROM jsonb_each(OLD.state -> 'counters') AS level (name, counted),
                  jsonb_each_text(level.counted) AS counter (name, amount)
       WHERE counter.amount::numeric
             > coalesce((NEW.state -> 'counters' -> level.name ->> counter.name)::numeric, -1)) THEN
    RAISE EXCEPTION '%: a counter never goes back', NEW.link USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER stand BEFORE UPDATE ON books.standing FOR EACH ROW EXECUTE FUNCTION books.stand();

-- The lock of a link, then what a command reads under it: the end of the chain, the kept state, the version in
-- force, what the pools hold, and the time.
CREATE FUNCTION books.take(of_link text) RETURNS TABLE (
  number bigint, hash text, state jsonb, fingerprint text, version text, balances jsonb, now_micros bigint)
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('feltwork/' || of_link, 0));
  RETURN QUERY
  SELECT tail.number, tail.hash, standing.state, standing.version, version.body,
         (SELECT coalesce(jsonb_object_agg(balance.account, balance.amount), '{}')
            FROM books.balance AS balance
           WHERE balance.link = of_link AND balance.account <> 'tray'),
         (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
    FROM books.chain_tail AS tail
    JOIN books.standing AS standing USING (link)
    JOIN books.version AS version ON version.link = tail.link AND version.fingerprint = standing.version
   WHERE tail.link = of_link;
END
$$;

-- Books a batch of rounds of a link in one call: the lock, the rounds, their entry, the state after it. It gives
-- no right that its caller lacks; the triggers of the tables refuse what does not fit.
CREATE FUNCTION books.book_rounds(
  of_link text, of_entry bigint, tables text[], numbers bigint[], times bigint[], wager bigint, seats text[],
  body text, fact text, kept jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('feltwork/' || of_link, 0));
  INSERT INTO books.entry (body, fact) VALUES (body, fact);
  INSERT INTO books.round (table_id, number, link, started_at, wager, seats, entry)
  SELECT one.table_id, one.number, of_link, one.started_at, wager, one.seats::smallint[], of_entry
    FROM unnest(tables, numbers, times, seats) AS one (table_id, number, started_at, seats);
  UPDATE books.standing SET number = of_entry, state = kept WHERE link = of_link;
END
$$;
GRANT SELECT ON books.chain_tail, books.entry, books.balance, books.lawful, books.once, books.standing
  TO feltwork_writer, feltwork_reader;
GRANT INSERT (link) ON books.chain_tail TO feltwork_writer;
GRANT INSERT (body, fact) ON books.entry TO feltwork_writer;
GRANT INSERT ON books.standing TO feltwork_writer;
GRANT UPDATE (number, version, state) ON books.standing TO feltwork_writer;
REVOKE EXECUTE ON FUNCTION books.happen_once, books.reconfigure_closed, books.keep_kind, books.move_balances, books.take,
  books.book_rounds FROM PUBLIC;
GRANT EXECUTE ON FUNCTION books.take, books.book_rounds TO feltwork_writer;

-- Checkpoints
-- -----------

CREATE TABLE books.checkpoint (
  link text NOT NULL REFERENCES books.link,
  number bigint NOT NULL,
  balances jsonb NOT NULL,
  PRIMARY KEY (link, number)
);
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE ON books.checkpoint
  FOR EACH ROW EXECUTE FUNCTION books.refuse_change();

-- After everything that is no batch of rounds, and after every 256th entry besides.
CREATE FUNCTION books.keep_checkpoint() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = books, pg_temp AS $$
BEGIN
  INSERT INTO books.checkpoint
  SELECT NEW.link, NEW.number, coalesce(jsonb_object_agg(account, amount), '{}')
    FROM books.balance WHERE link = NEW.link;
  RETURN NULL;
END
$$;
CREATE TRIGGER keep_checkpoint AFTER INSERT ON books.entry FOR EACH ROW
  WHEN (NEW.kind NOT IN ('Contributed', 'PaidFromTray') OR NEW.number % 256 = 0)
  EXECUTE FUNCTION books.keep_checkpoint();
ALTER TABLE books.entry ENABLE ALWAYS TRIGGER keep_checkpoint;

-- What an account held after an entry: the checkpoint before it, and the few entries since.
CREATE FUNCTION books.held_after(of_link text, of_account text, of_entry bigint) RETURNS bigint
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
REVOKE EXECUTE ON FUNCTION books.keep_checkpoint FROM PUBLIC;
GRANT EXECUTE ON FUNCTION books.held_after TO feltwork_writer, feltwork_reader;

-- Rounds
-- ------

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
SELECT books.make_append_only('books.round');

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
SELECT books.partition_by_month('round');

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
SELECT books.make_append_only('books.round_end');

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
SELECT books.partition_by_month('round_end');

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
SELECT books.make_append_only('books.correction');

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
SELECT books.make_append_only('books.parked');

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
SELECT books.make_append_only('books.table_fact');
SELECT books.partition_by_month('table_fact');
GRANT SELECT ON books.round, books.numbered, books.round_end, books.ended, books.gap, books.parked, books.table_fact,
  books.correction
  TO feltwork_writer, feltwork_reader;
GRANT INSERT (table_id, number, link, started_at, wager, seats, entry) ON books.round TO feltwork_writer;
GRANT INSERT (table_id, number, link, ended_at, fixed, envy, entry) ON books.round_end TO feltwork_writer;
GRANT INSERT (link, table_id, number, round, problem) ON books.parked TO feltwork_writer;
GRANT INSERT (link, table_id, number, at, kind, fact) ON books.table_fact TO feltwork_writer;
REVOKE EXECUTE ON FUNCTION books.correct_seat, books.locked_seats FROM PUBLIC;
GRANT EXECUTE ON FUNCTION books.locked_seats TO feltwork_writer, feltwork_reader;

-- Awards
-- ------

CREATE TABLE books.award (
  link text NOT NULL REFERENCES books.link,
  id text NOT NULL,
  table_id text NOT NULL,
  round bigint NOT NULL,
  seat smallint NOT NULL,
  hand text NOT NULL,
  claimed_by text NOT NULL,
  claimed_at bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('claimed', 'confirmed', 'paid', 'voided', 'reversed')),
  level text NOT NULL,
  from_meter bigint NOT NULL CHECK (from_meter >= 0),
  from_house bigint NOT NULL CHECK (from_house >= 0),
  seed bigint NOT NULL,
  reserve bigint NOT NULL,
  locked boolean NOT NULL,
  lock_number bigint NOT NULL,
  -- Its turn in the queue of its level, and what the pools of the level had taken in by then.
  first_lock bigint NOT NULL,
  meter_inflow bigint NOT NULL,
  reserve_inflow bigint NOT NULL,
  restarts boolean NOT NULL,
  supervisor text NOT NULL,
  executive text NOT NULL,
  paid_by text NOT NULL,
  cards text NOT NULL,
  -- In the order in which they were claimed.
  place bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (link, id)
);
CREATE INDEX award_open ON books.award (link) WHERE status IN ('claimed', 'confirmed');
CREATE INDEX award_by_round ON books.award (table_id, round);

-- A seat wins once in a round of a link.
CREATE UNIQUE INDEX award_once_a_seat ON books.award (link, table_id, round, seat)
  WHERE status IN ('claimed', 'confirmed', 'paid');

-- An award only goes forward, and only as the journal says.
CREATE FUNCTION books.award_steps() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = books, pg_temp AS $$
DECLARE
  told text;
BEGIN
  IF (OLD.id, OLD.table_id, OLD.round, OLD.seat, OLD.hand, OLD.claimed_by, OLD.claimed_at, OLD.cards)
     IS DISTINCT FROM
     (NEW.id, NEW.table_id, NEW.round, NEW.seat, NEW.hand, NEW.claimed_by, NEW.claimed_at, NEW.cards) THEN
    RAISE EXCEPTION 'award % of %: what was claimed stays', OLD.id, OLD.link
      USING ERRCODE = 'restrict_violation';
  END IF;
  IF OLD.status <> NEW.status THEN
    SELECT CASE once.what WHEN 'settlement' THEN lower(once.kind) WHEN 'payment' THEN 'paid' ELSE 'reversed' END
      INTO told FROM books.once
     WHERE link = NEW.link AND name = NEW.id AND what IN ('settlement', 'payment', 'reversal')
     ORDER BY number DESC LIMIT 1;
    IF told IS DISTINCT FROM NEW.status THEN
      RAISE EXCEPTION 'award % of %: the journal does not say that it is %', NEW.id, NEW.link, NEW.status
        USING ERRCODE = 'check_violation';
    END IF;
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER steps BEFORE UPDATE ON books.award FOR EACH ROW EXECUTE FUNCTION books.award_steps();
CREATE TRIGGER never_removed BEFORE DELETE ON books.award FOR EACH ROW EXECUTE FUNCTION books.refuse_change();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.award
  FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();
GRANT SELECT ON books.award TO feltwork_writer, feltwork_reader;
GRANT INSERT, UPDATE ON books.award TO feltwork_writer;

-- People, sessions and sign-ons
-- -----------------------------

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
  ended_at timestamptz,
  -- How the person authenticated.
  proof text NOT NULL DEFAULT 'PIN' CHECK (proof IN ('PIN', 'password', 'security key'))
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
GRANT SELECT, INSERT ON books.person, books.session, books.sign_on TO feltwork_writer;
GRANT UPDATE (name, role, badge, pin_hash, password_hash, failed_tries, locked_until, active)
  ON books.person TO feltwork_writer;
GRANT SELECT (id, name, role, badge, failed_tries, locked_until, active, registered_at)
  ON books.person TO feltwork_reader;
GRANT UPDATE (ended_at, ends_at) ON books.session TO feltwork_writer;
GRANT UPDATE (ended_at) ON books.sign_on TO feltwork_writer;

-- Enrollments and security keys
-- -----------------------------

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
SELECT books.make_append_only('books.enrolment');

-- An enrolment is used once.
CREATE TABLE books.enrolled (
  enrolment text PRIMARY KEY REFERENCES books.enrolment,
  in_session_of text NOT NULL,
  enrolled_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT books.make_append_only('books.enrolled');

-- Public keys only: who reads this table cannot sign in with it.
CREATE TABLE books.security_key (
  id text PRIMARY KEY,
  person text NOT NULL REFERENCES books.person,
  public_key bytea NOT NULL,
  enrolment text NOT NULL UNIQUE REFERENCES books.enrolled,
  registered_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX security_key_by_person ON books.security_key (person);
SELECT books.make_append_only('books.security_key');

-- Each use with the counter of the key. A counter that does not go forward is a copy of the key.
CREATE TABLE books.security_key_use (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text NOT NULL REFERENCES books.security_key,
  counter bigint NOT NULL CHECK (counter >= 0),
  used_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX security_key_use_by_key ON books.security_key_use (key, counter);
SELECT books.make_append_only('books.security_key_use');

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
SELECT books.make_append_only('books.security_key_taken');

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
GRANT SELECT ON books.enrolment, books.enrolled, books.security_key, books.security_key_use,
  books.security_key_taken TO feltwork_writer, feltwork_reader;
GRANT INSERT (id, person, what, granted_by, approved_by, lapses_at) ON books.enrolment TO feltwork_writer;
GRANT INSERT (enrolment, in_session_of) ON books.enrolled TO feltwork_writer;
GRANT INSERT (id, person, public_key, enrolment) ON books.security_key TO feltwork_writer;
GRANT INSERT (key, counter) ON books.security_key_use TO feltwork_writer;
GRANT INSERT (key, taken_by, approved_by, why) ON books.security_key_taken TO feltwork_writer;
GRANT SELECT, INSERT ON books.key_challenge TO feltwork_writer;
GRANT UPDATE (answered_at) ON books.key_challenge TO feltwork_writer;

-- Two-person commands
-- -------------------

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
SELECT books.make_append_only('books.proposal');

-- A proposal is answered once, by somebody else.
CREATE TABLE books.approval (
  proposal text PRIMARY KEY REFERENCES books.proposal,
  fingerprint text NOT NULL REFERENCES books.proposal (fingerprint),
  answered_by text NOT NULL REFERENCES books.person,
  approved boolean NOT NULL,
  answered_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT books.make_append_only('books.approval');

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
GRANT SELECT ON books.proposal, books.approval TO feltwork_writer, feltwork_reader;
GRANT INSERT (id, command, about, body, fingerprint, proposed_by, lapses_at) ON books.proposal TO feltwork_writer;
GRANT INSERT (proposal, fingerprint, answered_by, approved) ON books.approval TO feltwork_writer;

-- Payout records
-- --------------

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
  -- The casino's patron number, which distinguishes people with the same name; empty where none was given.
  patron text NOT NULL DEFAULT '',
  PRIMARY KEY (link, award),
  FOREIGN KEY (link, award) REFERENCES books.award (link, id)
);
SELECT books.make_append_only('books.payout');

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
SELECT books.make_append_only('books.payout_step');
GRANT SELECT ON books.payout, books.payout_step TO feltwork_writer, feltwork_reader;
GRANT INSERT (link, award, amount, cards, payee, identity, steps, flags, withheld, written_by, patron)
  ON books.payout TO feltwork_writer;
GRANT INSERT (link, award, step, note, done_by) ON books.payout_step TO feltwork_writer;

-- Incidents and installations
-- ---------------------------

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
SELECT books.make_append_only('books.incident');

-- What became of it: the regulator was told, it is closed.
CREATE TABLE books.incident_step (
  incident bigint NOT NULL REFERENCES books.incident,
  step text NOT NULL CHECK (step IN ('notified', 'closed')),
  says text NOT NULL,
  done_by text NOT NULL,
  done_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (incident, step)
);
SELECT books.make_append_only('books.incident_step');

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
SELECT books.make_append_only('books.installation');

-- What became of it; once.
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

-- Floors, access reviews, requests and the audit log
-- --------------------------------------------------

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
SELECT books.make_append_only('books.floor');

-- Somebody independent has gone through everybody who has access.
CREATE TABLE books.access_review (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Everybody with role and badge, as they stood then.
  people jsonb NOT NULL,
  says text NOT NULL,
  reviewed_by text NOT NULL REFERENCES books.person,
  reviewed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT books.make_append_only('books.access_review');

-- The first answer to a request; the same request again gets it again, another under its key is refused.
CREATE TABLE books.idempotency (
  key text PRIMARY KEY,
  body_hash text NOT NULL,
  answer jsonb,
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

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
SELECT books.make_append_only('books.audit');
SELECT books.partition_by_month('audit');

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
GRANT SELECT ON books.floor, books.access_review, books.audit TO feltwork_writer, feltwork_reader;
GRANT INSERT ON books.floor TO feltwork_writer;
GRANT INSERT (people, says, reviewed_by) ON books.access_review TO feltwork_writer;
GRANT SELECT, INSERT ON books.idempotency TO feltwork_writer;
GRANT UPDATE (answer) ON books.idempotency TO feltwork_writer;
GRANT INSERT (who, place, what, why, before, after) ON books.audit TO feltwork_writer;
REVOKE EXECUTE ON FUNCTION books.let_month_go FROM PUBLIC;

-- Bookkeeper: alarms, the change feed and the self-check
-- ------------------------------------------------------

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

-- Views
-- -----

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
GRANT SELECT ON books.adjustment, books.record TO feltwork_writer, feltwork_reader;

-- Last steps
-- ----------
SELECT books.make_partitions(current_date, 13);
RESET ROLE;

-- Whoever serves the books looks whether their schema is the one it knows.
GRANT SELECT ON feltwork_schema TO feltwork_writer, feltwork_reader;
