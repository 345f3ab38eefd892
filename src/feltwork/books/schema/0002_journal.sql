-- The journal: links and their versions, the chain of entries, and the balances that they fold to.

SET ROLE feltwork_owner;

-- A link, progressive or house: each has a chain of its own.
CREATE TABLE books.link (
  id text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('progressive', 'house')),
  registered_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Every configuration that a link has had or may get; which one is in force is a fact of the journal.
CREATE TABLE books.version (
  link text NOT NULL REFERENCES books.link,
  fingerprint text NOT NULL,
  body text NOT NULL,
  registered_by text NOT NULL,
  registered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (link, fingerprint)
);

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
  link text NOT NULL REFERENCES books.link,
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
-- Compressing the texts would cost a batch more than writing them.
ALTER TABLE books.entry ALTER body SET STORAGE EXTERNAL, ALTER fact SET STORAGE EXTERNAL;

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

-- What may happen once only, and which entry it was.
CREATE TABLE books.once (
  link text NOT NULL REFERENCES books.link,
  what text NOT NULL,
  name text NOT NULL,
  number bigint NOT NULL,
  kind text NOT NULL,
  PRIMARY KEY (link, what, name)
);

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

-- Moves the balances of a link. Postings to tables arrive folded.
CREATE FUNCTION books.move_balances(of_link text, accounts text[], amounts bigint[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  found_rows integer;
BEGIN
  UPDATE books.balance AS held SET amount = held.amount + moved.amount
    FROM unnest(accounts, amounts) AS moved (account, amount)
   WHERE held.link = of_link AND held.account = moved.account;
  GET DIAGNOSTICS found_rows = ROW_COUNT;
  IF found_rows < cardinality(accounts) THEN
    INSERT INTO books.balance
    SELECT of_link, moved.account, moved.amount
      FROM unnest(accounts, amounts) AS moved (account, amount)
     WHERE NOT EXISTS (SELECT FROM books.balance AS held
                        WHERE held.link = of_link AND held.account = moved.account);
  END IF;
  DELETE FROM books.balance WHERE link = of_link AND account = ANY (accounts) AND amount = 0;
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

  SELECT array_agg(folded.account), array_agg(folded.amount) INTO accounts, amounts
    FROM (
      SELECT CASE WHEN account ^@ 'patrons/' THEN 'patrons' WHEN account ^@ 'tray/' THEN 'tray'
                  ELSE account END AS account, sum(amount)::bigint AS amount
        FROM (SELECT posting ->> 0 AS account, (posting -> 1)::bigint AS amount
                FROM jsonb_array_elements(body -> 'postings') AS posting) AS posted
       GROUP BY 1
    ) AS folded;
  IF (SELECT sum(amount) FROM unnest(amounts) AS amount) <> 0 THEN
    RAISE EXCEPTION 'entry % of %: its postings do not balance', NEW.number, NEW.link
      USING ERRCODE = 'check_violation';
  END IF;
  SELECT moved.account INTO wrong
    FROM unnest(accounts, amounts) AS moved (account, amount)
    LEFT JOIN books.lawful AS way
      ON way.kind = NEW.kind AND way.account_kind = split_part(moved.account, '/', 1)
   WHERE NOT coalesce(CASE WHEN moved.amount < 0 THEN way.gives ELSE way.gets END, false)
   LIMIT 1;
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'entry % of %: % may not move % this way', NEW.number, NEW.link, NEW.kind, wrong
      USING ERRCODE = 'check_violation';
  END IF;

  IF NEW.kind = 'Contributed' THEN
    taken := coalesce(-amounts[array_position(accounts, 'patrons')], 0);
  ELSIF NEW.kind = 'PaidFromTray' THEN
    taken := coalesce(-amounts[array_position(accounts, 'tray')], 0);
  ELSE
    PERFORM books.happen_once(NEW, refs);
  END IF;
  IF NEW.kind = 'Reconfigured' THEN
    PERFORM books.reconfigure_closed(NEW, refs);
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
-- force, what the pools hold, the time, and the partition that rounds go to: PostgreSQL copies many rows at once
-- into a partition, but one by one through its parent.
CREATE FUNCTION books.take(of_link text) RETURNS TABLE (
  number bigint, hash text, state jsonb, fingerprint text, version text, balances jsonb, now_micros bigint,
  round_partition text)
LANGUAGE plpgsql AS $$
DECLARE
  month text := to_char(clock_timestamp() AT TIME ZONE 'UTC', '"round_"YYYY_MM');
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('feltwork/' || of_link, 0));
  RETURN QUERY
  SELECT tail.number, tail.hash, standing.state, standing.version, version.body,
         (SELECT coalesce(jsonb_object_agg(balance.account, balance.amount), '{}')
            FROM books.balance AS balance
           WHERE balance.link = of_link AND balance.account NOT IN ('patrons', 'tray')),
         (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
         CASE WHEN to_regclass('books.' || month) IS NULL THEN 'round_other' ELSE month END
    FROM books.chain_tail AS tail
    JOIN books.standing AS standing USING (link)
    JOIN books.version AS version ON version.link = tail.link AND version.fingerprint = standing.version
   WHERE tail.link = of_link;
END
$$;

SELECT books.make_append_only('books.entry');
SELECT books.make_append_only('books.once');
SELECT books.make_append_only('books.version');
SELECT books.make_append_only('books.link');
SELECT books.partition_by_month('entry');

REVOKE EXECUTE ON FUNCTION books.happen_once, books.reconfigure_closed, books.keep_kind, books.move_balances, books.take
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION books.take TO feltwork_writer;
GRANT SELECT ON books.link, books.version, books.chain_tail, books.entry, books.balance, books.lawful,
  books.once, books.standing TO feltwork_writer, feltwork_reader;
GRANT INSERT ON books.link, books.version, books.standing TO feltwork_writer;
GRANT INSERT (link) ON books.chain_tail TO feltwork_writer;
GRANT INSERT (body, fact) ON books.entry TO feltwork_writer;
GRANT UPDATE (number, version, state) ON books.standing TO feltwork_writer;

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
  ('Contributed', 'drop', false, true),
  ('Contributed', 'meter', false, true),
  ('Contributed', 'patrons', true, false),
  ('Contributed', 'reserve', false, true),
  ('Locked', 'house_pays', true, false),
  ('Locked', 'meter', true, true),
  ('Locked', 'pending', false, true),
  ('Locked', 'reserve', true, false),
  ('Locked', 'seed_advanced', true, false),
  ('Misdealt', 'drop', true, false),
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
  ('WagerAdded', 'drop', false, true),
  ('WagerAdded', 'meter', false, true),
  ('WagerAdded', 'patrons', true, false),
  ('WagerAdded', 'reserve', false, true),
  ('WagerReturned', 'drop', true, false),
  ('WagerReturned', 'meter', true, false),
  ('WagerReturned', 'patrons', false, true),
  ('WagerReturned', 'reserve', true, false);
RESET ROLE;
