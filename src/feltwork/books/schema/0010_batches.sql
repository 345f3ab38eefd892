-- Faster batches: a batch of rounds is one call, and the patrons of a link are one account. What is booked stays as
-- it was written: entries from before name the patrons of each table, and whoever reads them draws these together.

SET ROLE feltwork_owner;

-- Gives a partition what it does not have from its parent: a statement that names a partition fires no statement
-- trigger of the parent, and storage is its own.
CREATE OR REPLACE FUNCTION books.guard_partition(parent text, partition text) RETURNS void LANGUAGE plpgsql AS $$
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

-- The same for the partitions that are there.
DO $$
DECLARE
  part record;
BEGIN
  FOR part IN
    SELECT parent.relname AS parent, child.relname AS name
      FROM pg_inherits
      JOIN pg_class AS parent ON parent.oid = inhparent
      JOIN pg_class AS child ON child.oid = inhrelid
     WHERE inhparent IN ('books.round'::regclass, 'books.entry'::regclass)
       AND child.relkind = 'r'
  LOOP
    IF part.parent = 'round' THEN
      EXECUTE format('REVOKE INSERT (table_id, number, link, started_at, wager, seats, entry) ON books.%I'
                     ' FROM feltwork_writer', part.name);
    ELSE
      EXECUTE format('ALTER TABLE books.%I SET (toast_tuple_target = 8160)', part.name);
    END IF;
  END LOOP;
END
$$;

-- An entry belongs to a link that has a chain: it moves the end of it, and needs no other reference.
ALTER TABLE books.entry DROP CONSTRAINT entry_link_fkey;
-- Entries lie in the order of booking, so that a period is a piece of the table.
CREATE INDEX entry_by_time ON books.entry USING brin (booked_at) WITH (pages_per_range = 32);

-- What patrons have wagered and were paid is one account of the link; the trays of tables are still kept together.
UPDATE books.balance SET account = 'patrons/' || link WHERE account = 'patrons';

-- Moves the balances of a link. Postings to trays arrive folded.
CREATE OR REPLACE FUNCTION books.move_balances(of_link text, accounts text[], amounts bigint[]) RETURNS void
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
CREATE OR REPLACE FUNCTION books.append() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
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

DROP FUNCTION books.take;
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
REVOKE EXECUTE ON FUNCTION books.take FROM PUBLIC;
GRANT EXECUTE ON FUNCTION books.take TO feltwork_writer;

-- The number comes first: rounds of many tables in one batch then lie near each other.
DROP INDEX books.round_by_number;
CREATE INDEX round_by_number ON books.round (number, table_id);

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
REVOKE EXECUTE ON FUNCTION books.book_rounds FROM PUBLIC;
GRANT EXECUTE ON FUNCTION books.book_rounds TO feltwork_writer;
RESET ROLE;
