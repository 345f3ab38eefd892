--
-- PostgreSQL database dump
--

\restrict kept

-- Dumped from database version 18.4
-- Dumped by pg_dump version 18.4

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET transaction_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: books; Type: SCHEMA; Schema: -; Owner: feltwork_owner
--

CREATE SCHEMA books;


ALTER SCHEMA books OWNER TO feltwork_owner;

--
-- Name: append(); Type: FUNCTION; Schema: books; Owner: feltwork_owner
--

CREATE FUNCTION books.append() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'books', 'pg_temp'
    AS $$
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
  IF NEW.kind NOT IN ('AmountSet', 'Claimed', 'Voided', 'Locked', 'Confirmed', 'Paid') AND EXISTS (
      SELECT FROM books.link WHERE id = NEW.link AND kind = 'house') THEN
    RAISE EXCEPTION '%: % is a fact of a progressive, not of a house jackpot', NEW.link, NEW.kind
      USING ERRCODE = 'check_violation';
  END IF;

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


ALTER FUNCTION books.append() OWNER TO feltwork_owner;

--
-- Name: approve_other(); Type: FUNCTION; Schema: books; Owner: feltwork_owner
--

CREATE FUNCTION books.approve_other() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'books', 'pg_temp'
    AS $$
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


ALTER FUNCTION books.approve_other() OWNER TO feltwork_owner;

--
-- Name: award_steps(); Type: FUNCTION; Schema: books; Owner: feltwork_owner
--

CREATE FUNCTION books.award_steps() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'books', 'pg_temp'
    AS $$
DECLARE
  told text;
BEGIN
  IF (OLD.id, OLD.table_id, OLD.round, OLD.seat, OLD.hand, OLD.claimed_by, OLD.claimed_at)
     IS DISTINCT FROM (NEW.id, NEW.table_id, NEW.round, NEW.seat, NEW.hand, NEW.claimed_by, NEW.claimed_at) THEN
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


ALTER FUNCTION books.award_steps() OWNER TO feltwork_owner;

--
-- Name: covered(); Type: FUNCTION; Schema: books; Owner: feltwork_owner
--

CREATE FUNCTION books.covered() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'books', 'pg_temp'
    AS $$
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


ALTER FUNCTION books.covered() OWNER TO feltwork_owner;

--
-- Name: guard_partition(text, text); Type: FUNCTION; Schema: books; Owner: feltwork_owner
--

CREATE FUNCTION books.guard_partition(parent text, partition text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.%I'
                 ' FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change()', partition);
  EXECUTE format('ALTER TABLE books.%I ENABLE ALWAYS TRIGGER never_emptied', partition);
  IF parent = 'round' THEN
    EXECUTE format('CREATE TRIGGER numbered AFTER INSERT ON books.%I REFERENCING NEW TABLE AS fresh'
                   ' FOR EACH STATEMENT EXECUTE FUNCTION books.number_rounds()', partition);
    EXECUTE format('ALTER TABLE books.%I ENABLE ALWAYS TRIGGER numbered', partition);
    EXECUTE format('GRANT INSERT (table_id, number, link, started_at, wager, seats, entry) ON books.%I'
                   ' TO feltwork_writer', partition);
  ELSIF parent = 'round_end' THEN
    EXECUTE format('CREATE TRIGGER ended AFTER INSERT ON books.%I REFERENCING NEW TABLE AS fresh'
                   ' FOR EACH STATEMENT EXECUTE FUNCTION books.number_ends()', partition);
    EXECUTE format('ALTER TABLE books.%I ENABLE ALWAYS TRIGGER ended', partition);
  END IF;
END
$$;


ALTER FUNCTION books.guard_partition(parent text, partition text) OWNER TO feltwork_owner;

SET default_tablespace = '';

--
-- Name: entry; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.entry (
    link text NOT NULL,
    number bigint NOT NULL,
    previous text NOT NULL,
    hash text NOT NULL,
    at bigint NOT NULL,
    kind text NOT NULL,
    body text NOT NULL,
    fact text NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT body_is_what_was_hashed CHECK ((hash = encode(sha256(convert_to(body, 'UTF8'::name)), 'hex'::text)))
)
PARTITION BY RANGE (booked_at);
ALTER TABLE ONLY books.entry ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE ONLY books.entry ALTER COLUMN fact SET STORAGE EXTERNAL;


ALTER TABLE books.entry OWNER TO feltwork_owner;

--
-- Name: happen_once(books.entry, jsonb); Type: FUNCTION; Schema: books; Owner: feltwork_owner
--

CREATE FUNCTION books.happen_once(entry books.entry, refs jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
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


ALTER FUNCTION books.happen_once(entry books.entry, refs jsonb) OWNER TO feltwork_owner;

--
-- Name: make_append_only(regclass); Type: FUNCTION; Schema: books; Owner: feltwork_owner
--

CREATE FUNCTION books.make_append_only(name regclass) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE ON %s'
                 ' FOR EACH ROW EXECUTE FUNCTION books.refuse_change()', name);
  EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER never_changed', name);
  EXECUTE format('CREATE TRIGGER never_emptied BEFORE TRUNCATE ON %s'
                 ' FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change()', name);
  EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER never_emptied', name);
END
$$;


ALTER FUNCTION books.make_append_only(name regclass) OWNER TO feltwork_owner;

--
-- Name: make_partitions(date, integer); Type: FUNCTION; Schema: books; Owner: feltwork_owner
--

CREATE FUNCTION books.make_partitions(first_day date, months integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'books', 'pg_temp'
    AS $$
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


ALTER FUNCTION books.make_partitions(first_day date, months integer) OWNER TO feltwork_owner;

--
-- Name: move_balances(text, text[], bigint[]); Type: FUNCTION; Schema: books; Owner: feltwork_owner
--

CREATE FUNCTION books.move_balances(of_link text, accounts text[], amounts bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
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


ALTER FUNCTION books.move_balances(of_link text, accounts text[], amounts bigint[]) OWNER TO feltwork_owner;

--
-- Name: number_ends(); Type: FUNCTION; Schema: books; Owner: feltwork_owner
--

CREATE FUNCTION books.number_ends() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'books', 'pg_temp'
    AS $$
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


ALTER FUNCTION books.number_ends() OWNER TO feltwork_owner;

--
-- Name: number_grouped(text[], bigint[]); Type: FUNCTION; Schema: books; Owner: feltwork_owner
--

CREATE FUNCTION books.number_grouped(tables text[], numbers bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
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


ALTER FUNCTION books.number_grouped(tables text[], numbers bigint[]) OWNER TO feltwork_owner;

--
-- Name: number_rounds(); Type: FUNCTION; Schema: books; Owner: feltwork_owner
--

CREATE FUNCTION books.number_rounds() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'books', 'pg_temp'
    AS $$
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


ALTER FUNCTION books.number_rounds() OWNER TO feltwork_owner;

--
-- Name: partition_by_month(text); Type: FUNCTION; Schema: books; Owner: feltwork_owner
--

CREATE FUNCTION books.partition_by_month(parent text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO books.partitioned VALUES (parent);
  EXECUTE format('CREATE TABLE books.%I PARTITION OF books.%I DEFAULT', parent || '_other', parent);
  PERFORM books.guard_partition(parent, parent || '_other');
END
$$;


ALTER FUNCTION books.partition_by_month(parent text) OWNER TO feltwork_owner;

--
-- Name: reconfigure_closed(books.entry, jsonb); Type: FUNCTION; Schema: books; Owner: feltwork_owner
--

CREATE FUNCTION books.reconfigure_closed(entry books.entry, refs jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
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


ALTER FUNCTION books.reconfigure_closed(entry books.entry, refs jsonb) OWNER TO feltwork_owner;

--
-- Name: refuse_change(); Type: FUNCTION; Schema: books; Owner: feltwork_owner
--

CREATE FUNCTION books.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION '% of books.% is refused: what is booked stays booked', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation', HINT = 'book a correction beside it';
END
$$;


ALTER FUNCTION books.refuse_change() OWNER TO feltwork_owner;

--
-- Name: stand(); Type: FUNCTION; Schema: books; Owner: feltwork_owner
--

CREATE FUNCTION books.stand() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'books', 'pg_temp'
    AS $$
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


ALTER FUNCTION books.stand() OWNER TO feltwork_owner;

--
-- Name: take(text); Type: FUNCTION; Schema: books; Owner: feltwork_owner
--

CREATE FUNCTION books.take(of_link text) RETURNS TABLE(number bigint, hash text, state jsonb, fingerprint text, version text, balances jsonb, now_micros bigint, round_partition text)
    LANGUAGE plpgsql
    AS $$
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


ALTER FUNCTION books.take(of_link text) OWNER TO feltwork_owner;

SET default_table_access_method = heap;

--
-- Name: approval; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.approval (
    proposal text NOT NULL,
    fingerprint text NOT NULL,
    answered_by text NOT NULL,
    approved boolean NOT NULL,
    answered_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);


ALTER TABLE books.approval OWNER TO feltwork_owner;

--
-- Name: audit; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.audit (
    id bigint NOT NULL,
    who text NOT NULL,
    place text NOT NULL,
    what text NOT NULL,
    why text NOT NULL,
    before jsonb,
    after jsonb,
    booked_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
)
PARTITION BY RANGE (booked_at);


ALTER TABLE books.audit OWNER TO feltwork_owner;

--
-- Name: audit_2026_11; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.audit_2026_11 (
    id bigint CONSTRAINT audit_id_not_null NOT NULL,
    who text CONSTRAINT audit_who_not_null NOT NULL,
    place text CONSTRAINT audit_place_not_null NOT NULL,
    what text CONSTRAINT audit_what_not_null NOT NULL,
    why text CONSTRAINT audit_why_not_null NOT NULL,
    before jsonb,
    after jsonb,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT audit_booked_at_not_null NOT NULL
);


ALTER TABLE books.audit_2026_11 OWNER TO feltwork_owner;

--
-- Name: audit_2026_12; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.audit_2026_12 (
    id bigint CONSTRAINT audit_id_not_null NOT NULL,
    who text CONSTRAINT audit_who_not_null NOT NULL,
    place text CONSTRAINT audit_place_not_null NOT NULL,
    what text CONSTRAINT audit_what_not_null NOT NULL,
    why text CONSTRAINT audit_why_not_null NOT NULL,
    before jsonb,
    after jsonb,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT audit_booked_at_not_null NOT NULL
);


ALTER TABLE books.audit_2026_12 OWNER TO feltwork_owner;

--
-- Name: audit_2027_01; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.audit_2027_01 (
    id bigint CONSTRAINT audit_id_not_null NOT NULL,
    who text CONSTRAINT audit_who_not_null NOT NULL,
    place text CONSTRAINT audit_place_not_null NOT NULL,
    what text CONSTRAINT audit_what_not_null NOT NULL,
    why text CONSTRAINT audit_why_not_null NOT NULL,
    before jsonb,
    after jsonb,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT audit_booked_at_not_null NOT NULL
);


ALTER TABLE books.audit_2027_01 OWNER TO feltwork_owner;

--
-- Name: audit_2027_02; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.audit_2027_02 (
    id bigint CONSTRAINT audit_id_not_null NOT NULL,
    who text CONSTRAINT audit_who_not_null NOT NULL,
    place text CONSTRAINT audit_place_not_null NOT NULL,
    what text CONSTRAINT audit_what_not_null NOT NULL,
    why text CONSTRAINT audit_why_not_null NOT NULL,
    before jsonb,
    after jsonb,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT audit_booked_at_not_null NOT NULL
);


ALTER TABLE books.audit_2027_02 OWNER TO feltwork_owner;

--
-- Name: audit_2027_03; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.audit_2027_03 (
    id bigint CONSTRAINT audit_id_not_null NOT NULL,
    who text CONSTRAINT audit_who_not_null NOT NULL,
    place text CONSTRAINT audit_place_not_null NOT NULL,
    what text CONSTRAINT audit_what_not_null NOT NULL,
    why text CONSTRAINT audit_why_not_null NOT NULL,
    before jsonb,
    after jsonb,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT audit_booked_at_not_null NOT NULL
);


ALTER TABLE books.audit_2027_03 OWNER TO feltwork_owner;

--
-- Name: audit_2027_04; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.audit_2027_04 (
    id bigint CONSTRAINT audit_id_not_null NOT NULL,
    who text CONSTRAINT audit_who_not_null NOT NULL,
    place text CONSTRAINT audit_place_not_null NOT NULL,
    what text CONSTRAINT audit_what_not_null NOT NULL,
    why text CONSTRAINT audit_why_not_null NOT NULL,
    before jsonb,
    after jsonb,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT audit_booked_at_not_null NOT NULL
);


ALTER TABLE books.audit_2027_04 OWNER TO feltwork_owner;

--
-- Name: audit_2027_05; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.audit_2027_05 (
    id bigint CONSTRAINT audit_id_not_null NOT NULL,
    who text CONSTRAINT audit_who_not_null NOT NULL,
    place text CONSTRAINT audit_place_not_null NOT NULL,
    what text CONSTRAINT audit_what_not_null NOT NULL,
    why text CONSTRAINT audit_why_not_null NOT NULL,
    before jsonb,
    after jsonb,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT audit_booked_at_not_null NOT NULL
);


ALTER TABLE books.audit_2027_05 OWNER TO feltwork_owner;

--
-- Name: audit_2027_06; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.audit_2027_06 (
    id bigint CONSTRAINT audit_id_not_null NOT NULL,
    who text CONSTRAINT audit_who_not_null NOT NULL,
    place text CONSTRAINT audit_place_not_null NOT NULL,
    what text CONSTRAINT audit_what_not_null NOT NULL,
    why text CONSTRAINT audit_why_not_null NOT NULL,
    before jsonb,
    after jsonb,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT audit_booked_at_not_null NOT NULL
);


ALTER TABLE books.audit_2027_06 OWNER TO feltwork_owner;

--
-- Name: audit_2027_07; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.audit_2027_07 (
    id bigint CONSTRAINT audit_id_not_null NOT NULL,
    who text CONSTRAINT audit_who_not_null NOT NULL,
    place text CONSTRAINT audit_place_not_null NOT NULL,
    what text CONSTRAINT audit_what_not_null NOT NULL,
    why text CONSTRAINT audit_why_not_null NOT NULL,
    before jsonb,
    after jsonb,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT audit_booked_at_not_null NOT NULL
);


ALTER TABLE books.audit_2027_07 OWNER TO feltwork_owner;

--
-- Name: audit_2027_08; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.audit_2027_08 (
    id bigint CONSTRAINT audit_id_not_null NOT NULL,
    who text CONSTRAINT audit_who_not_null NOT NULL,
    place text CONSTRAINT audit_place_not_null NOT NULL,
    what text CONSTRAINT audit_what_not_null NOT NULL,
    why text CONSTRAINT audit_why_not_null NOT NULL,
    before jsonb,
    after jsonb,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT audit_booked_at_not_null NOT NULL
);


ALTER TABLE books.audit_2027_08 OWNER TO feltwork_owner;

--
-- Name: audit_2027_09; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.audit_2027_09 (
    id bigint CONSTRAINT audit_id_not_null NOT NULL,
    who text CONSTRAINT audit_who_not_null NOT NULL,
    place text CONSTRAINT audit_place_not_null NOT NULL,
    what text CONSTRAINT audit_what_not_null NOT NULL,
    why text CONSTRAINT audit_why_not_null NOT NULL,
    before jsonb,
    after jsonb,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT audit_booked_at_not_null NOT NULL
);


ALTER TABLE books.audit_2027_09 OWNER TO feltwork_owner;

--
-- Name: audit_2027_10; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.audit_2027_10 (
    id bigint CONSTRAINT audit_id_not_null NOT NULL,
    who text CONSTRAINT audit_who_not_null NOT NULL,
    place text CONSTRAINT audit_place_not_null NOT NULL,
    what text CONSTRAINT audit_what_not_null NOT NULL,
    why text CONSTRAINT audit_why_not_null NOT NULL,
    before jsonb,
    after jsonb,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT audit_booked_at_not_null NOT NULL
);


ALTER TABLE books.audit_2027_10 OWNER TO feltwork_owner;

--
-- Name: audit_2027_11; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.audit_2027_11 (
    id bigint CONSTRAINT audit_id_not_null NOT NULL,
    who text CONSTRAINT audit_who_not_null NOT NULL,
    place text CONSTRAINT audit_place_not_null NOT NULL,
    what text CONSTRAINT audit_what_not_null NOT NULL,
    why text CONSTRAINT audit_why_not_null NOT NULL,
    before jsonb,
    after jsonb,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT audit_booked_at_not_null NOT NULL
);


ALTER TABLE books.audit_2027_11 OWNER TO feltwork_owner;

--
-- Name: audit_id_seq; Type: SEQUENCE; Schema: books; Owner: feltwork_owner
--

ALTER TABLE books.audit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME books.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: audit_other; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.audit_other (
    id bigint CONSTRAINT audit_id_not_null NOT NULL,
    who text CONSTRAINT audit_who_not_null NOT NULL,
    place text CONSTRAINT audit_place_not_null NOT NULL,
    what text CONSTRAINT audit_what_not_null NOT NULL,
    why text CONSTRAINT audit_why_not_null NOT NULL,
    before jsonb,
    after jsonb,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT audit_booked_at_not_null NOT NULL
);


ALTER TABLE books.audit_other OWNER TO feltwork_owner;

--
-- Name: award; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.award (
    link text NOT NULL,
    id text NOT NULL,
    table_id text NOT NULL,
    round bigint NOT NULL,
    seat smallint NOT NULL,
    hand text NOT NULL,
    claimed_by text NOT NULL,
    claimed_at bigint NOT NULL,
    status text NOT NULL,
    level text NOT NULL,
    from_meter bigint NOT NULL,
    from_house bigint NOT NULL,
    seed bigint NOT NULL,
    reserve bigint NOT NULL,
    locked boolean NOT NULL,
    lock_number bigint NOT NULL,
    restarts boolean NOT NULL,
    supervisor text NOT NULL,
    executive text NOT NULL,
    place bigint NOT NULL,
    CONSTRAINT award_from_house_check CHECK ((from_house >= 0)),
    CONSTRAINT award_from_meter_check CHECK ((from_meter >= 0)),
    CONSTRAINT award_status_check CHECK ((status = ANY (ARRAY['claimed'::text, 'confirmed'::text, 'paid'::text, 'voided'::text, 'reversed'::text])))
);


ALTER TABLE books.award OWNER TO feltwork_owner;

--
-- Name: award_place_seq; Type: SEQUENCE; Schema: books; Owner: feltwork_owner
--

ALTER TABLE books.award ALTER COLUMN place ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME books.award_place_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: balance; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.balance (
    link text NOT NULL,
    account text NOT NULL,
    amount bigint NOT NULL,
    CONSTRAINT players_money_never_below_zero CHECK (((amount >= 0) OR (split_part(account, '/'::text, 1) <> ALL (ARRAY['meter'::text, 'reserve'::text, 'payable'::text]))))
)
WITH (fillfactor='50');


ALTER TABLE books.balance OWNER TO feltwork_owner;

--
-- Name: chain_tail; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.chain_tail (
    link text NOT NULL,
    number bigint DEFAULT 0 NOT NULL,
    hash text DEFAULT repeat('0'::text, 64) NOT NULL,
    uncovered bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');


ALTER TABLE books.chain_tail OWNER TO feltwork_owner;

--
-- Name: ended; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.ended (
    table_id text NOT NULL,
    booked int8multirange NOT NULL
)
WITH (fillfactor='50');


ALTER TABLE books.ended OWNER TO feltwork_owner;

--
-- Name: entry_2026_11; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.entry_2026_11 (
    link text CONSTRAINT entry_link_not_null NOT NULL,
    number bigint CONSTRAINT entry_number_not_null NOT NULL,
    previous text CONSTRAINT entry_previous_not_null NOT NULL,
    hash text CONSTRAINT entry_hash_not_null NOT NULL,
    at bigint CONSTRAINT entry_at_not_null NOT NULL,
    kind text CONSTRAINT entry_kind_not_null NOT NULL,
    body text CONSTRAINT entry_body_not_null NOT NULL,
    fact text CONSTRAINT entry_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT entry_booked_at_not_null NOT NULL,
    CONSTRAINT body_is_what_was_hashed CHECK ((hash = encode(sha256(convert_to(body, 'UTF8'::name)), 'hex'::text)))
);
ALTER TABLE ONLY books.entry_2026_11 ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE ONLY books.entry_2026_11 ALTER COLUMN fact SET STORAGE EXTERNAL;


ALTER TABLE books.entry_2026_11 OWNER TO feltwork_owner;

--
-- Name: entry_2026_12; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.entry_2026_12 (
    link text CONSTRAINT entry_link_not_null NOT NULL,
    number bigint CONSTRAINT entry_number_not_null NOT NULL,
    previous text CONSTRAINT entry_previous_not_null NOT NULL,
    hash text CONSTRAINT entry_hash_not_null NOT NULL,
    at bigint CONSTRAINT entry_at_not_null NOT NULL,
    kind text CONSTRAINT entry_kind_not_null NOT NULL,
    body text CONSTRAINT entry_body_not_null NOT NULL,
    fact text CONSTRAINT entry_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT entry_booked_at_not_null NOT NULL,
    CONSTRAINT body_is_what_was_hashed CHECK ((hash = encode(sha256(convert_to(body, 'UTF8'::name)), 'hex'::text)))
);
ALTER TABLE ONLY books.entry_2026_12 ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE ONLY books.entry_2026_12 ALTER COLUMN fact SET STORAGE EXTERNAL;


ALTER TABLE books.entry_2026_12 OWNER TO feltwork_owner;

--
-- Name: entry_2027_01; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.entry_2027_01 (
    link text CONSTRAINT entry_link_not_null NOT NULL,
    number bigint CONSTRAINT entry_number_not_null NOT NULL,
    previous text CONSTRAINT entry_previous_not_null NOT NULL,
    hash text CONSTRAINT entry_hash_not_null NOT NULL,
    at bigint CONSTRAINT entry_at_not_null NOT NULL,
    kind text CONSTRAINT entry_kind_not_null NOT NULL,
    body text CONSTRAINT entry_body_not_null NOT NULL,
    fact text CONSTRAINT entry_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT entry_booked_at_not_null NOT NULL,
    CONSTRAINT body_is_what_was_hashed CHECK ((hash = encode(sha256(convert_to(body, 'UTF8'::name)), 'hex'::text)))
);
ALTER TABLE ONLY books.entry_2027_01 ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE ONLY books.entry_2027_01 ALTER COLUMN fact SET STORAGE EXTERNAL;


ALTER TABLE books.entry_2027_01 OWNER TO feltwork_owner;

--
-- Name: entry_2027_02; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.entry_2027_02 (
    link text CONSTRAINT entry_link_not_null NOT NULL,
    number bigint CONSTRAINT entry_number_not_null NOT NULL,
    previous text CONSTRAINT entry_previous_not_null NOT NULL,
    hash text CONSTRAINT entry_hash_not_null NOT NULL,
    at bigint CONSTRAINT entry_at_not_null NOT NULL,
    kind text CONSTRAINT entry_kind_not_null NOT NULL,
    body text CONSTRAINT entry_body_not_null NOT NULL,
    fact text CONSTRAINT entry_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT entry_booked_at_not_null NOT NULL,
    CONSTRAINT body_is_what_was_hashed CHECK ((hash = encode(sha256(convert_to(body, 'UTF8'::name)), 'hex'::text)))
);
ALTER TABLE ONLY books.entry_2027_02 ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE ONLY books.entry_2027_02 ALTER COLUMN fact SET STORAGE EXTERNAL;


ALTER TABLE books.entry_2027_02 OWNER TO feltwork_owner;

--
-- Name: entry_2027_03; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.entry_2027_03 (
    link text CONSTRAINT entry_link_not_null NOT NULL,
    number bigint CONSTRAINT entry_number_not_null NOT NULL,
    previous text CONSTRAINT entry_previous_not_null NOT NULL,
    hash text CONSTRAINT entry_hash_not_null NOT NULL,
    at bigint CONSTRAINT entry_at_not_null NOT NULL,
    kind text CONSTRAINT entry_kind_not_null NOT NULL,
    body text CONSTRAINT entry_body_not_null NOT NULL,
    fact text CONSTRAINT entry_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT entry_booked_at_not_null NOT NULL,
    CONSTRAINT body_is_what_was_hashed CHECK ((hash = encode(sha256(convert_to(body, 'UTF8'::name)), 'hex'::text)))
);
ALTER TABLE ONLY books.entry_2027_03 ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE ONLY books.entry_2027_03 ALTER COLUMN fact SET STORAGE EXTERNAL;


ALTER TABLE books.entry_2027_03 OWNER TO feltwork_owner;

--
-- Name: entry_2027_04; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.entry_2027_04 (
    link text CONSTRAINT entry_link_not_null NOT NULL,
    number bigint CONSTRAINT entry_number_not_null NOT NULL,
    previous text CONSTRAINT entry_previous_not_null NOT NULL,
    hash text CONSTRAINT entry_hash_not_null NOT NULL,
    at bigint CONSTRAINT entry_at_not_null NOT NULL,
    kind text CONSTRAINT entry_kind_not_null NOT NULL,
    body text CONSTRAINT entry_body_not_null NOT NULL,
    fact text CONSTRAINT entry_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT entry_booked_at_not_null NOT NULL,
    CONSTRAINT body_is_what_was_hashed CHECK ((hash = encode(sha256(convert_to(body, 'UTF8'::name)), 'hex'::text)))
);
ALTER TABLE ONLY books.entry_2027_04 ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE ONLY books.entry_2027_04 ALTER COLUMN fact SET STORAGE EXTERNAL;


ALTER TABLE books.entry_2027_04 OWNER TO feltwork_owner;

--
-- Name: entry_2027_05; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.entry_2027_05 (
    link text CONSTRAINT entry_link_not_null NOT NULL,
    number bigint CONSTRAINT entry_number_not_null NOT NULL,
    previous text CONSTRAINT entry_previous_not_null NOT NULL,
    hash text CONSTRAINT entry_hash_not_null NOT NULL,
    at bigint CONSTRAINT entry_at_not_null NOT NULL,
    kind text CONSTRAINT entry_kind_not_null NOT NULL,
    body text CONSTRAINT entry_body_not_null NOT NULL,
    fact text CONSTRAINT entry_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT entry_booked_at_not_null NOT NULL,
    CONSTRAINT body_is_what_was_hashed CHECK ((hash = encode(sha256(convert_to(body, 'UTF8'::name)), 'hex'::text)))
);
ALTER TABLE ONLY books.entry_2027_05 ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE ONLY books.entry_2027_05 ALTER COLUMN fact SET STORAGE EXTERNAL;


ALTER TABLE books.entry_2027_05 OWNER TO feltwork_owner;

--
-- Name: entry_2027_06; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.entry_2027_06 (
    link text CONSTRAINT entry_link_not_null NOT NULL,
    number bigint CONSTRAINT entry_number_not_null NOT NULL,
    previous text CONSTRAINT entry_previous_not_null NOT NULL,
    hash text CONSTRAINT entry_hash_not_null NOT NULL,
    at bigint CONSTRAINT entry_at_not_null NOT NULL,
    kind text CONSTRAINT entry_kind_not_null NOT NULL,
    body text CONSTRAINT entry_body_not_null NOT NULL,
    fact text CONSTRAINT entry_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT entry_booked_at_not_null NOT NULL,
    CONSTRAINT body_is_what_was_hashed CHECK ((hash = encode(sha256(convert_to(body, 'UTF8'::name)), 'hex'::text)))
);
ALTER TABLE ONLY books.entry_2027_06 ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE ONLY books.entry_2027_06 ALTER COLUMN fact SET STORAGE EXTERNAL;


ALTER TABLE books.entry_2027_06 OWNER TO feltwork_owner;

--
-- Name: entry_2027_07; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.entry_2027_07 (
    link text CONSTRAINT entry_link_not_null NOT NULL,
    number bigint CONSTRAINT entry_number_not_null NOT NULL,
    previous text CONSTRAINT entry_previous_not_null NOT NULL,
    hash text CONSTRAINT entry_hash_not_null NOT NULL,
    at bigint CONSTRAINT entry_at_not_null NOT NULL,
    kind text CONSTRAINT entry_kind_not_null NOT NULL,
    body text CONSTRAINT entry_body_not_null NOT NULL,
    fact text CONSTRAINT entry_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT entry_booked_at_not_null NOT NULL,
    CONSTRAINT body_is_what_was_hashed CHECK ((hash = encode(sha256(convert_to(body, 'UTF8'::name)), 'hex'::text)))
);
ALTER TABLE ONLY books.entry_2027_07 ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE ONLY books.entry_2027_07 ALTER COLUMN fact SET STORAGE EXTERNAL;


ALTER TABLE books.entry_2027_07 OWNER TO feltwork_owner;

--
-- Name: entry_2027_08; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.entry_2027_08 (
    link text CONSTRAINT entry_link_not_null NOT NULL,
    number bigint CONSTRAINT entry_number_not_null NOT NULL,
    previous text CONSTRAINT entry_previous_not_null NOT NULL,
    hash text CONSTRAINT entry_hash_not_null NOT NULL,
    at bigint CONSTRAINT entry_at_not_null NOT NULL,
    kind text CONSTRAINT entry_kind_not_null NOT NULL,
    body text CONSTRAINT entry_body_not_null NOT NULL,
    fact text CONSTRAINT entry_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT entry_booked_at_not_null NOT NULL,
    CONSTRAINT body_is_what_was_hashed CHECK ((hash = encode(sha256(convert_to(body, 'UTF8'::name)), 'hex'::text)))
);
ALTER TABLE ONLY books.entry_2027_08 ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE ONLY books.entry_2027_08 ALTER COLUMN fact SET STORAGE EXTERNAL;


ALTER TABLE books.entry_2027_08 OWNER TO feltwork_owner;

--
-- Name: entry_2027_09; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.entry_2027_09 (
    link text CONSTRAINT entry_link_not_null NOT NULL,
    number bigint CONSTRAINT entry_number_not_null NOT NULL,
    previous text CONSTRAINT entry_previous_not_null NOT NULL,
    hash text CONSTRAINT entry_hash_not_null NOT NULL,
    at bigint CONSTRAINT entry_at_not_null NOT NULL,
    kind text CONSTRAINT entry_kind_not_null NOT NULL,
    body text CONSTRAINT entry_body_not_null NOT NULL,
    fact text CONSTRAINT entry_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT entry_booked_at_not_null NOT NULL,
    CONSTRAINT body_is_what_was_hashed CHECK ((hash = encode(sha256(convert_to(body, 'UTF8'::name)), 'hex'::text)))
);
ALTER TABLE ONLY books.entry_2027_09 ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE ONLY books.entry_2027_09 ALTER COLUMN fact SET STORAGE EXTERNAL;


ALTER TABLE books.entry_2027_09 OWNER TO feltwork_owner;

--
-- Name: entry_2027_10; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.entry_2027_10 (
    link text CONSTRAINT entry_link_not_null NOT NULL,
    number bigint CONSTRAINT entry_number_not_null NOT NULL,
    previous text CONSTRAINT entry_previous_not_null NOT NULL,
    hash text CONSTRAINT entry_hash_not_null NOT NULL,
    at bigint CONSTRAINT entry_at_not_null NOT NULL,
    kind text CONSTRAINT entry_kind_not_null NOT NULL,
    body text CONSTRAINT entry_body_not_null NOT NULL,
    fact text CONSTRAINT entry_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT entry_booked_at_not_null NOT NULL,
    CONSTRAINT body_is_what_was_hashed CHECK ((hash = encode(sha256(convert_to(body, 'UTF8'::name)), 'hex'::text)))
);
ALTER TABLE ONLY books.entry_2027_10 ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE ONLY books.entry_2027_10 ALTER COLUMN fact SET STORAGE EXTERNAL;


ALTER TABLE books.entry_2027_10 OWNER TO feltwork_owner;

--
-- Name: entry_2027_11; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.entry_2027_11 (
    link text CONSTRAINT entry_link_not_null NOT NULL,
    number bigint CONSTRAINT entry_number_not_null NOT NULL,
    previous text CONSTRAINT entry_previous_not_null NOT NULL,
    hash text CONSTRAINT entry_hash_not_null NOT NULL,
    at bigint CONSTRAINT entry_at_not_null NOT NULL,
    kind text CONSTRAINT entry_kind_not_null NOT NULL,
    body text CONSTRAINT entry_body_not_null NOT NULL,
    fact text CONSTRAINT entry_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT entry_booked_at_not_null NOT NULL,
    CONSTRAINT body_is_what_was_hashed CHECK ((hash = encode(sha256(convert_to(body, 'UTF8'::name)), 'hex'::text)))
);
ALTER TABLE ONLY books.entry_2027_11 ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE ONLY books.entry_2027_11 ALTER COLUMN fact SET STORAGE EXTERNAL;


ALTER TABLE books.entry_2027_11 OWNER TO feltwork_owner;

--
-- Name: entry_other; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.entry_other (
    link text CONSTRAINT entry_link_not_null NOT NULL,
    number bigint CONSTRAINT entry_number_not_null NOT NULL,
    previous text CONSTRAINT entry_previous_not_null NOT NULL,
    hash text CONSTRAINT entry_hash_not_null NOT NULL,
    at bigint CONSTRAINT entry_at_not_null NOT NULL,
    kind text CONSTRAINT entry_kind_not_null NOT NULL,
    body text CONSTRAINT entry_body_not_null NOT NULL,
    fact text CONSTRAINT entry_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT entry_booked_at_not_null NOT NULL,
    CONSTRAINT body_is_what_was_hashed CHECK ((hash = encode(sha256(convert_to(body, 'UTF8'::name)), 'hex'::text)))
);
ALTER TABLE ONLY books.entry_other ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE ONLY books.entry_other ALTER COLUMN fact SET STORAGE EXTERNAL;


ALTER TABLE books.entry_other OWNER TO feltwork_owner;

--
-- Name: floor; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.floor (
    number bigint NOT NULL,
    fingerprint text NOT NULL,
    body text NOT NULL,
    registered_by text NOT NULL,
    approved_by text NOT NULL,
    registered_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT body_is_what_was_hashed CHECK ((fingerprint = encode(sha256(convert_to(body, 'UTF8'::name)), 'hex'::text))),
    CONSTRAINT floor_check CHECK ((approved_by <> registered_by))
);


ALTER TABLE books.floor OWNER TO feltwork_owner;

--
-- Name: floor_number_seq; Type: SEQUENCE; Schema: books; Owner: feltwork_owner
--

ALTER TABLE books.floor ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME books.floor_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: numbered; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.numbered (
    table_id text NOT NULL,
    booked int8multirange NOT NULL
)
WITH (fillfactor='50');


ALTER TABLE books.numbered OWNER TO feltwork_owner;

--
-- Name: gap; Type: VIEW; Schema: books; Owner: feltwork_owner
--

CREATE VIEW books.gap AS
 SELECT numbered.table_id,
    lower(part.part) AS first,
    (upper(part.part) - 1) AS last
   FROM books.numbered,
    LATERAL unnest((int8multirange(int8range((1)::bigint, upper(numbered.booked))) - numbered.booked)) part(part);


ALTER VIEW books.gap OWNER TO feltwork_owner;

--
-- Name: idempotency; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.idempotency (
    key text NOT NULL,
    body_hash text NOT NULL,
    answer jsonb,
    asked_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);


ALTER TABLE books.idempotency OWNER TO feltwork_owner;

--
-- Name: lawful; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.lawful (
    kind text NOT NULL,
    account_kind text NOT NULL,
    gives boolean NOT NULL,
    gets boolean NOT NULL
);


ALTER TABLE books.lawful OWNER TO feltwork_owner;

--
-- Name: link; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.link (
    id text NOT NULL,
    kind text NOT NULL,
    registered_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT link_kind_check CHECK ((kind = ANY (ARRAY['progressive'::text, 'house'::text])))
);


ALTER TABLE books.link OWNER TO feltwork_owner;

--
-- Name: once; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.once (
    link text NOT NULL,
    what text NOT NULL,
    name text NOT NULL,
    number bigint NOT NULL,
    kind text NOT NULL
);


ALTER TABLE books.once OWNER TO feltwork_owner;

--
-- Name: parked; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.parked (
    link text NOT NULL,
    table_id text NOT NULL,
    number bigint NOT NULL,
    round jsonb NOT NULL,
    problem jsonb NOT NULL,
    parked_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);


ALTER TABLE books.parked OWNER TO feltwork_owner;

--
-- Name: partitioned; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.partitioned (
    name text NOT NULL
);


ALTER TABLE books.partitioned OWNER TO feltwork_owner;

--
-- Name: person; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.person (
    id text NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    badge text,
    pin_hash text,
    password_hash text,
    failed_tries integer DEFAULT 0 NOT NULL,
    locked_until timestamp with time zone,
    active boolean DEFAULT true NOT NULL,
    registered_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);


ALTER TABLE books.person OWNER TO feltwork_owner;

--
-- Name: proposal; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.proposal (
    id text NOT NULL,
    command text NOT NULL,
    about text NOT NULL,
    body jsonb NOT NULL,
    fingerprint text NOT NULL,
    proposed_by text NOT NULL,
    proposed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    lapses_at timestamp with time zone NOT NULL
);


ALTER TABLE books.proposal OWNER TO feltwork_owner;

--
-- Name: round; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round (
    table_id text NOT NULL,
    number bigint NOT NULL,
    link text NOT NULL,
    started_at bigint NOT NULL,
    wager bigint NOT NULL,
    seats smallint[] NOT NULL,
    entry bigint NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    CONSTRAINT round_wager_check CHECK ((wager > 0))
)
PARTITION BY RANGE (booked_at);


ALTER TABLE books.round OWNER TO feltwork_owner;

--
-- Name: round_2026_11; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_2026_11 (
    table_id text CONSTRAINT round_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_number_not_null NOT NULL,
    link text CONSTRAINT round_link_not_null NOT NULL,
    started_at bigint CONSTRAINT round_started_at_not_null NOT NULL,
    wager bigint CONSTRAINT round_wager_not_null NOT NULL,
    seats smallint[] CONSTRAINT round_seats_not_null NOT NULL,
    entry bigint CONSTRAINT round_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_booked_at_not_null NOT NULL,
    CONSTRAINT round_wager_check CHECK ((wager > 0))
);


ALTER TABLE books.round_2026_11 OWNER TO feltwork_owner;

--
-- Name: round_2026_12; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_2026_12 (
    table_id text CONSTRAINT round_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_number_not_null NOT NULL,
    link text CONSTRAINT round_link_not_null NOT NULL,
    started_at bigint CONSTRAINT round_started_at_not_null NOT NULL,
    wager bigint CONSTRAINT round_wager_not_null NOT NULL,
    seats smallint[] CONSTRAINT round_seats_not_null NOT NULL,
    entry bigint CONSTRAINT round_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_booked_at_not_null NOT NULL,
    CONSTRAINT round_wager_check CHECK ((wager > 0))
);


ALTER TABLE books.round_2026_12 OWNER TO feltwork_owner;

--
-- Name: round_2027_01; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_2027_01 (
    table_id text CONSTRAINT round_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_number_not_null NOT NULL,
    link text CONSTRAINT round_link_not_null NOT NULL,
    started_at bigint CONSTRAINT round_started_at_not_null NOT NULL,
    wager bigint CONSTRAINT round_wager_not_null NOT NULL,
    seats smallint[] CONSTRAINT round_seats_not_null NOT NULL,
    entry bigint CONSTRAINT round_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_booked_at_not_null NOT NULL,
    CONSTRAINT round_wager_check CHECK ((wager > 0))
);


ALTER TABLE books.round_2027_01 OWNER TO feltwork_owner;

--
-- Name: round_2027_02; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_2027_02 (
    table_id text CONSTRAINT round_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_number_not_null NOT NULL,
    link text CONSTRAINT round_link_not_null NOT NULL,
    started_at bigint CONSTRAINT round_started_at_not_null NOT NULL,
    wager bigint CONSTRAINT round_wager_not_null NOT NULL,
    seats smallint[] CONSTRAINT round_seats_not_null NOT NULL,
    entry bigint CONSTRAINT round_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_booked_at_not_null NOT NULL,
    CONSTRAINT round_wager_check CHECK ((wager > 0))
);


ALTER TABLE books.round_2027_02 OWNER TO feltwork_owner;

--
-- Name: round_2027_03; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_2027_03 (
    table_id text CONSTRAINT round_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_number_not_null NOT NULL,
    link text CONSTRAINT round_link_not_null NOT NULL,
    started_at bigint CONSTRAINT round_started_at_not_null NOT NULL,
    wager bigint CONSTRAINT round_wager_not_null NOT NULL,
    seats smallint[] CONSTRAINT round_seats_not_null NOT NULL,
    entry bigint CONSTRAINT round_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_booked_at_not_null NOT NULL,
    CONSTRAINT round_wager_check CHECK ((wager > 0))
);


ALTER TABLE books.round_2027_03 OWNER TO feltwork_owner;

--
-- Name: round_2027_04; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_2027_04 (
    table_id text CONSTRAINT round_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_number_not_null NOT NULL,
    link text CONSTRAINT round_link_not_null NOT NULL,
    started_at bigint CONSTRAINT round_started_at_not_null NOT NULL,
    wager bigint CONSTRAINT round_wager_not_null NOT NULL,
    seats smallint[] CONSTRAINT round_seats_not_null NOT NULL,
    entry bigint CONSTRAINT round_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_booked_at_not_null NOT NULL,
    CONSTRAINT round_wager_check CHECK ((wager > 0))
);


ALTER TABLE books.round_2027_04 OWNER TO feltwork_owner;

--
-- Name: round_2027_05; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_2027_05 (
    table_id text CONSTRAINT round_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_number_not_null NOT NULL,
    link text CONSTRAINT round_link_not_null NOT NULL,
    started_at bigint CONSTRAINT round_started_at_not_null NOT NULL,
    wager bigint CONSTRAINT round_wager_not_null NOT NULL,
    seats smallint[] CONSTRAINT round_seats_not_null NOT NULL,
    entry bigint CONSTRAINT round_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_booked_at_not_null NOT NULL,
    CONSTRAINT round_wager_check CHECK ((wager > 0))
);


ALTER TABLE books.round_2027_05 OWNER TO feltwork_owner;

--
-- Name: round_2027_06; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_2027_06 (
    table_id text CONSTRAINT round_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_number_not_null NOT NULL,
    link text CONSTRAINT round_link_not_null NOT NULL,
    started_at bigint CONSTRAINT round_started_at_not_null NOT NULL,
    wager bigint CONSTRAINT round_wager_not_null NOT NULL,
    seats smallint[] CONSTRAINT round_seats_not_null NOT NULL,
    entry bigint CONSTRAINT round_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_booked_at_not_null NOT NULL,
    CONSTRAINT round_wager_check CHECK ((wager > 0))
);


ALTER TABLE books.round_2027_06 OWNER TO feltwork_owner;

--
-- Name: round_2027_07; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_2027_07 (
    table_id text CONSTRAINT round_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_number_not_null NOT NULL,
    link text CONSTRAINT round_link_not_null NOT NULL,
    started_at bigint CONSTRAINT round_started_at_not_null NOT NULL,
    wager bigint CONSTRAINT round_wager_not_null NOT NULL,
    seats smallint[] CONSTRAINT round_seats_not_null NOT NULL,
    entry bigint CONSTRAINT round_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_booked_at_not_null NOT NULL,
    CONSTRAINT round_wager_check CHECK ((wager > 0))
);


ALTER TABLE books.round_2027_07 OWNER TO feltwork_owner;

--
-- Name: round_2027_08; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_2027_08 (
    table_id text CONSTRAINT round_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_number_not_null NOT NULL,
    link text CONSTRAINT round_link_not_null NOT NULL,
    started_at bigint CONSTRAINT round_started_at_not_null NOT NULL,
    wager bigint CONSTRAINT round_wager_not_null NOT NULL,
    seats smallint[] CONSTRAINT round_seats_not_null NOT NULL,
    entry bigint CONSTRAINT round_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_booked_at_not_null NOT NULL,
    CONSTRAINT round_wager_check CHECK ((wager > 0))
);


ALTER TABLE books.round_2027_08 OWNER TO feltwork_owner;

--
-- Name: round_2027_09; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_2027_09 (
    table_id text CONSTRAINT round_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_number_not_null NOT NULL,
    link text CONSTRAINT round_link_not_null NOT NULL,
    started_at bigint CONSTRAINT round_started_at_not_null NOT NULL,
    wager bigint CONSTRAINT round_wager_not_null NOT NULL,
    seats smallint[] CONSTRAINT round_seats_not_null NOT NULL,
    entry bigint CONSTRAINT round_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_booked_at_not_null NOT NULL,
    CONSTRAINT round_wager_check CHECK ((wager > 0))
);


ALTER TABLE books.round_2027_09 OWNER TO feltwork_owner;

--
-- Name: round_2027_10; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_2027_10 (
    table_id text CONSTRAINT round_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_number_not_null NOT NULL,
    link text CONSTRAINT round_link_not_null NOT NULL,
    started_at bigint CONSTRAINT round_started_at_not_null NOT NULL,
    wager bigint CONSTRAINT round_wager_not_null NOT NULL,
    seats smallint[] CONSTRAINT round_seats_not_null NOT NULL,
    entry bigint CONSTRAINT round_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_booked_at_not_null NOT NULL,
    CONSTRAINT round_wager_check CHECK ((wager > 0))
);


ALTER TABLE books.round_2027_10 OWNER TO feltwork_owner;

--
-- Name: round_2027_11; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_2027_11 (
    table_id text CONSTRAINT round_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_number_not_null NOT NULL,
    link text CONSTRAINT round_link_not_null NOT NULL,
    started_at bigint CONSTRAINT round_started_at_not_null NOT NULL,
    wager bigint CONSTRAINT round_wager_not_null NOT NULL,
    seats smallint[] CONSTRAINT round_seats_not_null NOT NULL,
    entry bigint CONSTRAINT round_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_booked_at_not_null NOT NULL,
    CONSTRAINT round_wager_check CHECK ((wager > 0))
);


ALTER TABLE books.round_2027_11 OWNER TO feltwork_owner;

--
-- Name: round_end; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_end (
    table_id text NOT NULL,
    number bigint NOT NULL,
    link text NOT NULL,
    ended_at bigint NOT NULL,
    fixed bigint NOT NULL,
    envy bigint NOT NULL,
    entry bigint NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    CONSTRAINT round_end_envy_check CHECK ((envy >= 0)),
    CONSTRAINT round_end_fixed_check CHECK ((fixed >= 0))
)
PARTITION BY RANGE (booked_at);


ALTER TABLE books.round_end OWNER TO feltwork_owner;

--
-- Name: round_end_2026_11; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_end_2026_11 (
    table_id text CONSTRAINT round_end_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_end_number_not_null NOT NULL,
    link text CONSTRAINT round_end_link_not_null NOT NULL,
    ended_at bigint CONSTRAINT round_end_ended_at_not_null NOT NULL,
    fixed bigint CONSTRAINT round_end_fixed_not_null NOT NULL,
    envy bigint CONSTRAINT round_end_envy_not_null NOT NULL,
    entry bigint CONSTRAINT round_end_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_end_booked_at_not_null NOT NULL,
    CONSTRAINT round_end_envy_check CHECK ((envy >= 0)),
    CONSTRAINT round_end_fixed_check CHECK ((fixed >= 0))
);


ALTER TABLE books.round_end_2026_11 OWNER TO feltwork_owner;

--
-- Name: round_end_2026_12; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_end_2026_12 (
    table_id text CONSTRAINT round_end_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_end_number_not_null NOT NULL,
    link text CONSTRAINT round_end_link_not_null NOT NULL,
    ended_at bigint CONSTRAINT round_end_ended_at_not_null NOT NULL,
    fixed bigint CONSTRAINT round_end_fixed_not_null NOT NULL,
    envy bigint CONSTRAINT round_end_envy_not_null NOT NULL,
    entry bigint CONSTRAINT round_end_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_end_booked_at_not_null NOT NULL,
    CONSTRAINT round_end_envy_check CHECK ((envy >= 0)),
    CONSTRAINT round_end_fixed_check CHECK ((fixed >= 0))
);


ALTER TABLE books.round_end_2026_12 OWNER TO feltwork_owner;

--
-- Name: round_end_2027_01; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_end_2027_01 (
    table_id text CONSTRAINT round_end_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_end_number_not_null NOT NULL,
    link text CONSTRAINT round_end_link_not_null NOT NULL,
    ended_at bigint CONSTRAINT round_end_ended_at_not_null NOT NULL,
    fixed bigint CONSTRAINT round_end_fixed_not_null NOT NULL,
    envy bigint CONSTRAINT round_end_envy_not_null NOT NULL,
    entry bigint CONSTRAINT round_end_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_end_booked_at_not_null NOT NULL,
    CONSTRAINT round_end_envy_check CHECK ((envy >= 0)),
    CONSTRAINT round_end_fixed_check CHECK ((fixed >= 0))
);


ALTER TABLE books.round_end_2027_01 OWNER TO feltwork_owner;

--
-- Name: round_end_2027_02; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_end_2027_02 (
    table_id text CONSTRAINT round_end_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_end_number_not_null NOT NULL,
    link text CONSTRAINT round_end_link_not_null NOT NULL,
    ended_at bigint CONSTRAINT round_end_ended_at_not_null NOT NULL,
    fixed bigint CONSTRAINT round_end_fixed_not_null NOT NULL,
    envy bigint CONSTRAINT round_end_envy_not_null NOT NULL,
    entry bigint CONSTRAINT round_end_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_end_booked_at_not_null NOT NULL,
    CONSTRAINT round_end_envy_check CHECK ((envy >= 0)),
    CONSTRAINT round_end_fixed_check CHECK ((fixed >= 0))
);


ALTER TABLE books.round_end_2027_02 OWNER TO feltwork_owner;

--
-- Name: round_end_2027_03; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_end_2027_03 (
    table_id text CONSTRAINT round_end_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_end_number_not_null NOT NULL,
    link text CONSTRAINT round_end_link_not_null NOT NULL,
    ended_at bigint CONSTRAINT round_end_ended_at_not_null NOT NULL,
    fixed bigint CONSTRAINT round_end_fixed_not_null NOT NULL,
    envy bigint CONSTRAINT round_end_envy_not_null NOT NULL,
    entry bigint CONSTRAINT round_end_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_end_booked_at_not_null NOT NULL,
    CONSTRAINT round_end_envy_check CHECK ((envy >= 0)),
    CONSTRAINT round_end_fixed_check CHECK ((fixed >= 0))
);


ALTER TABLE books.round_end_2027_03 OWNER TO feltwork_owner;

--
-- Name: round_end_2027_04; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_end_2027_04 (
    table_id text CONSTRAINT round_end_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_end_number_not_null NOT NULL,
    link text CONSTRAINT round_end_link_not_null NOT NULL,
    ended_at bigint CONSTRAINT round_end_ended_at_not_null NOT NULL,
    fixed bigint CONSTRAINT round_end_fixed_not_null NOT NULL,
    envy bigint CONSTRAINT round_end_envy_not_null NOT NULL,
    entry bigint CONSTRAINT round_end_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_end_booked_at_not_null NOT NULL,
    CONSTRAINT round_end_envy_check CHECK ((envy >= 0)),
    CONSTRAINT round_end_fixed_check CHECK ((fixed >= 0))
);


ALTER TABLE books.round_end_2027_04 OWNER TO feltwork_owner;

--
-- Name: round_end_2027_05; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_end_2027_05 (
    table_id text CONSTRAINT round_end_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_end_number_not_null NOT NULL,
    link text CONSTRAINT round_end_link_not_null NOT NULL,
    ended_at bigint CONSTRAINT round_end_ended_at_not_null NOT NULL,
    fixed bigint CONSTRAINT round_end_fixed_not_null NOT NULL,
    envy bigint CONSTRAINT round_end_envy_not_null NOT NULL,
    entry bigint CONSTRAINT round_end_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_end_booked_at_not_null NOT NULL,
    CONSTRAINT round_end_envy_check CHECK ((envy >= 0)),
    CONSTRAINT round_end_fixed_check CHECK ((fixed >= 0))
);


ALTER TABLE books.round_end_2027_05 OWNER TO feltwork_owner;

--
-- Name: round_end_2027_06; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_end_2027_06 (
    table_id text CONSTRAINT round_end_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_end_number_not_null NOT NULL,
    link text CONSTRAINT round_end_link_not_null NOT NULL,
    ended_at bigint CONSTRAINT round_end_ended_at_not_null NOT NULL,
    fixed bigint CONSTRAINT round_end_fixed_not_null NOT NULL,
    envy bigint CONSTRAINT round_end_envy_not_null NOT NULL,
    entry bigint CONSTRAINT round_end_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_end_booked_at_not_null NOT NULL,
    CONSTRAINT round_end_envy_check CHECK ((envy >= 0)),
    CONSTRAINT round_end_fixed_check CHECK ((fixed >= 0))
);


ALTER TABLE books.round_end_2027_06 OWNER TO feltwork_owner;

--
-- Name: round_end_2027_07; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_end_2027_07 (
    table_id text CONSTRAINT round_end_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_end_number_not_null NOT NULL,
    link text CONSTRAINT round_end_link_not_null NOT NULL,
    ended_at bigint CONSTRAINT round_end_ended_at_not_null NOT NULL,
    fixed bigint CONSTRAINT round_end_fixed_not_null NOT NULL,
    envy bigint CONSTRAINT round_end_envy_not_null NOT NULL,
    entry bigint CONSTRAINT round_end_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_end_booked_at_not_null NOT NULL,
    CONSTRAINT round_end_envy_check CHECK ((envy >= 0)),
    CONSTRAINT round_end_fixed_check CHECK ((fixed >= 0))
);


ALTER TABLE books.round_end_2027_07 OWNER TO feltwork_owner;

--
-- Name: round_end_2027_08; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_end_2027_08 (
    table_id text CONSTRAINT round_end_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_end_number_not_null NOT NULL,
    link text CONSTRAINT round_end_link_not_null NOT NULL,
    ended_at bigint CONSTRAINT round_end_ended_at_not_null NOT NULL,
    fixed bigint CONSTRAINT round_end_fixed_not_null NOT NULL,
    envy bigint CONSTRAINT round_end_envy_not_null NOT NULL,
    entry bigint CONSTRAINT round_end_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_end_booked_at_not_null NOT NULL,
    CONSTRAINT round_end_envy_check CHECK ((envy >= 0)),
    CONSTRAINT round_end_fixed_check CHECK ((fixed >= 0))
);


ALTER TABLE books.round_end_2027_08 OWNER TO feltwork_owner;

--
-- Name: round_end_2027_09; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_end_2027_09 (
    table_id text CONSTRAINT round_end_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_end_number_not_null NOT NULL,
    link text CONSTRAINT round_end_link_not_null NOT NULL,
    ended_at bigint CONSTRAINT round_end_ended_at_not_null NOT NULL,
    fixed bigint CONSTRAINT round_end_fixed_not_null NOT NULL,
    envy bigint CONSTRAINT round_end_envy_not_null NOT NULL,
    entry bigint CONSTRAINT round_end_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_end_booked_at_not_null NOT NULL,
    CONSTRAINT round_end_envy_check CHECK ((envy >= 0)),
    CONSTRAINT round_end_fixed_check CHECK ((fixed >= 0))
);


ALTER TABLE books.round_end_2027_09 OWNER TO feltwork_owner;

--
-- Name: round_end_2027_10; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_end_2027_10 (
    table_id text CONSTRAINT round_end_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_end_number_not_null NOT NULL,
    link text CONSTRAINT round_end_link_not_null NOT NULL,
    ended_at bigint CONSTRAINT round_end_ended_at_not_null NOT NULL,
    fixed bigint CONSTRAINT round_end_fixed_not_null NOT NULL,
    envy bigint CONSTRAINT round_end_envy_not_null NOT NULL,
    entry bigint CONSTRAINT round_end_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_end_booked_at_not_null NOT NULL,
    CONSTRAINT round_end_envy_check CHECK ((envy >= 0)),
    CONSTRAINT round_end_fixed_check CHECK ((fixed >= 0))
);


ALTER TABLE books.round_end_2027_10 OWNER TO feltwork_owner;

--
-- Name: round_end_2027_11; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_end_2027_11 (
    table_id text CONSTRAINT round_end_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_end_number_not_null NOT NULL,
    link text CONSTRAINT round_end_link_not_null NOT NULL,
    ended_at bigint CONSTRAINT round_end_ended_at_not_null NOT NULL,
    fixed bigint CONSTRAINT round_end_fixed_not_null NOT NULL,
    envy bigint CONSTRAINT round_end_envy_not_null NOT NULL,
    entry bigint CONSTRAINT round_end_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_end_booked_at_not_null NOT NULL,
    CONSTRAINT round_end_envy_check CHECK ((envy >= 0)),
    CONSTRAINT round_end_fixed_check CHECK ((fixed >= 0))
);


ALTER TABLE books.round_end_2027_11 OWNER TO feltwork_owner;

--
-- Name: round_end_other; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_end_other (
    table_id text CONSTRAINT round_end_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_end_number_not_null NOT NULL,
    link text CONSTRAINT round_end_link_not_null NOT NULL,
    ended_at bigint CONSTRAINT round_end_ended_at_not_null NOT NULL,
    fixed bigint CONSTRAINT round_end_fixed_not_null NOT NULL,
    envy bigint CONSTRAINT round_end_envy_not_null NOT NULL,
    entry bigint CONSTRAINT round_end_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_end_booked_at_not_null NOT NULL,
    CONSTRAINT round_end_envy_check CHECK ((envy >= 0)),
    CONSTRAINT round_end_fixed_check CHECK ((fixed >= 0))
);


ALTER TABLE books.round_end_other OWNER TO feltwork_owner;

--
-- Name: round_other; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.round_other (
    table_id text CONSTRAINT round_table_id_not_null NOT NULL,
    number bigint CONSTRAINT round_number_not_null NOT NULL,
    link text CONSTRAINT round_link_not_null NOT NULL,
    started_at bigint CONSTRAINT round_started_at_not_null NOT NULL,
    wager bigint CONSTRAINT round_wager_not_null NOT NULL,
    seats smallint[] CONSTRAINT round_seats_not_null NOT NULL,
    entry bigint CONSTRAINT round_entry_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT statement_timestamp() CONSTRAINT round_booked_at_not_null NOT NULL,
    CONSTRAINT round_wager_check CHECK ((wager > 0))
);


ALTER TABLE books.round_other OWNER TO feltwork_owner;

--
-- Name: session; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.session (
    token_hash text NOT NULL,
    person text NOT NULL,
    place text NOT NULL,
    began_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone
);


ALTER TABLE books.session OWNER TO feltwork_owner;

--
-- Name: standing; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.standing (
    link text NOT NULL,
    number bigint DEFAULT 0 NOT NULL,
    version text NOT NULL,
    state jsonb NOT NULL
)
WITH (fillfactor='50');


ALTER TABLE books.standing OWNER TO feltwork_owner;

--
-- Name: table_fact; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.table_fact (
    id bigint NOT NULL,
    link text NOT NULL,
    table_id text NOT NULL,
    number bigint NOT NULL,
    at bigint NOT NULL,
    kind text NOT NULL,
    fact jsonb NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
)
PARTITION BY RANGE (booked_at);


ALTER TABLE books.table_fact OWNER TO feltwork_owner;

--
-- Name: table_fact_2026_11; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.table_fact_2026_11 (
    id bigint CONSTRAINT table_fact_id_not_null NOT NULL,
    link text CONSTRAINT table_fact_link_not_null NOT NULL,
    table_id text CONSTRAINT table_fact_table_id_not_null NOT NULL,
    number bigint CONSTRAINT table_fact_number_not_null NOT NULL,
    at bigint CONSTRAINT table_fact_at_not_null NOT NULL,
    kind text CONSTRAINT table_fact_kind_not_null NOT NULL,
    fact jsonb CONSTRAINT table_fact_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT table_fact_booked_at_not_null NOT NULL
);


ALTER TABLE books.table_fact_2026_11 OWNER TO feltwork_owner;

--
-- Name: table_fact_2026_12; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.table_fact_2026_12 (
    id bigint CONSTRAINT table_fact_id_not_null NOT NULL,
    link text CONSTRAINT table_fact_link_not_null NOT NULL,
    table_id text CONSTRAINT table_fact_table_id_not_null NOT NULL,
    number bigint CONSTRAINT table_fact_number_not_null NOT NULL,
    at bigint CONSTRAINT table_fact_at_not_null NOT NULL,
    kind text CONSTRAINT table_fact_kind_not_null NOT NULL,
    fact jsonb CONSTRAINT table_fact_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT table_fact_booked_at_not_null NOT NULL
);


ALTER TABLE books.table_fact_2026_12 OWNER TO feltwork_owner;

--
-- Name: table_fact_2027_01; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.table_fact_2027_01 (
    id bigint CONSTRAINT table_fact_id_not_null NOT NULL,
    link text CONSTRAINT table_fact_link_not_null NOT NULL,
    table_id text CONSTRAINT table_fact_table_id_not_null NOT NULL,
    number bigint CONSTRAINT table_fact_number_not_null NOT NULL,
    at bigint CONSTRAINT table_fact_at_not_null NOT NULL,
    kind text CONSTRAINT table_fact_kind_not_null NOT NULL,
    fact jsonb CONSTRAINT table_fact_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT table_fact_booked_at_not_null NOT NULL
);


ALTER TABLE books.table_fact_2027_01 OWNER TO feltwork_owner;

--
-- Name: table_fact_2027_02; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.table_fact_2027_02 (
    id bigint CONSTRAINT table_fact_id_not_null NOT NULL,
    link text CONSTRAINT table_fact_link_not_null NOT NULL,
    table_id text CONSTRAINT table_fact_table_id_not_null NOT NULL,
    number bigint CONSTRAINT table_fact_number_not_null NOT NULL,
    at bigint CONSTRAINT table_fact_at_not_null NOT NULL,
    kind text CONSTRAINT table_fact_kind_not_null NOT NULL,
    fact jsonb CONSTRAINT table_fact_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT table_fact_booked_at_not_null NOT NULL
);


ALTER TABLE books.table_fact_2027_02 OWNER TO feltwork_owner;

--
-- Name: table_fact_2027_03; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.table_fact_2027_03 (
    id bigint CONSTRAINT table_fact_id_not_null NOT NULL,
    link text CONSTRAINT table_fact_link_not_null NOT NULL,
    table_id text CONSTRAINT table_fact_table_id_not_null NOT NULL,
    number bigint CONSTRAINT table_fact_number_not_null NOT NULL,
    at bigint CONSTRAINT table_fact_at_not_null NOT NULL,
    kind text CONSTRAINT table_fact_kind_not_null NOT NULL,
    fact jsonb CONSTRAINT table_fact_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT table_fact_booked_at_not_null NOT NULL
);


ALTER TABLE books.table_fact_2027_03 OWNER TO feltwork_owner;

--
-- Name: table_fact_2027_04; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.table_fact_2027_04 (
    id bigint CONSTRAINT table_fact_id_not_null NOT NULL,
    link text CONSTRAINT table_fact_link_not_null NOT NULL,
    table_id text CONSTRAINT table_fact_table_id_not_null NOT NULL,
    number bigint CONSTRAINT table_fact_number_not_null NOT NULL,
    at bigint CONSTRAINT table_fact_at_not_null NOT NULL,
    kind text CONSTRAINT table_fact_kind_not_null NOT NULL,
    fact jsonb CONSTRAINT table_fact_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT table_fact_booked_at_not_null NOT NULL
);


ALTER TABLE books.table_fact_2027_04 OWNER TO feltwork_owner;

--
-- Name: table_fact_2027_05; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.table_fact_2027_05 (
    id bigint CONSTRAINT table_fact_id_not_null NOT NULL,
    link text CONSTRAINT table_fact_link_not_null NOT NULL,
    table_id text CONSTRAINT table_fact_table_id_not_null NOT NULL,
    number bigint CONSTRAINT table_fact_number_not_null NOT NULL,
    at bigint CONSTRAINT table_fact_at_not_null NOT NULL,
    kind text CONSTRAINT table_fact_kind_not_null NOT NULL,
    fact jsonb CONSTRAINT table_fact_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT table_fact_booked_at_not_null NOT NULL
);


ALTER TABLE books.table_fact_2027_05 OWNER TO feltwork_owner;

--
-- Name: table_fact_2027_06; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.table_fact_2027_06 (
    id bigint CONSTRAINT table_fact_id_not_null NOT NULL,
    link text CONSTRAINT table_fact_link_not_null NOT NULL,
    table_id text CONSTRAINT table_fact_table_id_not_null NOT NULL,
    number bigint CONSTRAINT table_fact_number_not_null NOT NULL,
    at bigint CONSTRAINT table_fact_at_not_null NOT NULL,
    kind text CONSTRAINT table_fact_kind_not_null NOT NULL,
    fact jsonb CONSTRAINT table_fact_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT table_fact_booked_at_not_null NOT NULL
);


ALTER TABLE books.table_fact_2027_06 OWNER TO feltwork_owner;

--
-- Name: table_fact_2027_07; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.table_fact_2027_07 (
    id bigint CONSTRAINT table_fact_id_not_null NOT NULL,
    link text CONSTRAINT table_fact_link_not_null NOT NULL,
    table_id text CONSTRAINT table_fact_table_id_not_null NOT NULL,
    number bigint CONSTRAINT table_fact_number_not_null NOT NULL,
    at bigint CONSTRAINT table_fact_at_not_null NOT NULL,
    kind text CONSTRAINT table_fact_kind_not_null NOT NULL,
    fact jsonb CONSTRAINT table_fact_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT table_fact_booked_at_not_null NOT NULL
);


ALTER TABLE books.table_fact_2027_07 OWNER TO feltwork_owner;

--
-- Name: table_fact_2027_08; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.table_fact_2027_08 (
    id bigint CONSTRAINT table_fact_id_not_null NOT NULL,
    link text CONSTRAINT table_fact_link_not_null NOT NULL,
    table_id text CONSTRAINT table_fact_table_id_not_null NOT NULL,
    number bigint CONSTRAINT table_fact_number_not_null NOT NULL,
    at bigint CONSTRAINT table_fact_at_not_null NOT NULL,
    kind text CONSTRAINT table_fact_kind_not_null NOT NULL,
    fact jsonb CONSTRAINT table_fact_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT table_fact_booked_at_not_null NOT NULL
);


ALTER TABLE books.table_fact_2027_08 OWNER TO feltwork_owner;

--
-- Name: table_fact_2027_09; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.table_fact_2027_09 (
    id bigint CONSTRAINT table_fact_id_not_null NOT NULL,
    link text CONSTRAINT table_fact_link_not_null NOT NULL,
    table_id text CONSTRAINT table_fact_table_id_not_null NOT NULL,
    number bigint CONSTRAINT table_fact_number_not_null NOT NULL,
    at bigint CONSTRAINT table_fact_at_not_null NOT NULL,
    kind text CONSTRAINT table_fact_kind_not_null NOT NULL,
    fact jsonb CONSTRAINT table_fact_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT table_fact_booked_at_not_null NOT NULL
);


ALTER TABLE books.table_fact_2027_09 OWNER TO feltwork_owner;

--
-- Name: table_fact_2027_10; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.table_fact_2027_10 (
    id bigint CONSTRAINT table_fact_id_not_null NOT NULL,
    link text CONSTRAINT table_fact_link_not_null NOT NULL,
    table_id text CONSTRAINT table_fact_table_id_not_null NOT NULL,
    number bigint CONSTRAINT table_fact_number_not_null NOT NULL,
    at bigint CONSTRAINT table_fact_at_not_null NOT NULL,
    kind text CONSTRAINT table_fact_kind_not_null NOT NULL,
    fact jsonb CONSTRAINT table_fact_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT table_fact_booked_at_not_null NOT NULL
);


ALTER TABLE books.table_fact_2027_10 OWNER TO feltwork_owner;

--
-- Name: table_fact_2027_11; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.table_fact_2027_11 (
    id bigint CONSTRAINT table_fact_id_not_null NOT NULL,
    link text CONSTRAINT table_fact_link_not_null NOT NULL,
    table_id text CONSTRAINT table_fact_table_id_not_null NOT NULL,
    number bigint CONSTRAINT table_fact_number_not_null NOT NULL,
    at bigint CONSTRAINT table_fact_at_not_null NOT NULL,
    kind text CONSTRAINT table_fact_kind_not_null NOT NULL,
    fact jsonb CONSTRAINT table_fact_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT table_fact_booked_at_not_null NOT NULL
);


ALTER TABLE books.table_fact_2027_11 OWNER TO feltwork_owner;

--
-- Name: table_fact_id_seq; Type: SEQUENCE; Schema: books; Owner: feltwork_owner
--

ALTER TABLE books.table_fact ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME books.table_fact_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: table_fact_other; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.table_fact_other (
    id bigint CONSTRAINT table_fact_id_not_null NOT NULL,
    link text CONSTRAINT table_fact_link_not_null NOT NULL,
    table_id text CONSTRAINT table_fact_table_id_not_null NOT NULL,
    number bigint CONSTRAINT table_fact_number_not_null NOT NULL,
    at bigint CONSTRAINT table_fact_at_not_null NOT NULL,
    kind text CONSTRAINT table_fact_kind_not_null NOT NULL,
    fact jsonb CONSTRAINT table_fact_fact_not_null NOT NULL,
    booked_at timestamp with time zone DEFAULT clock_timestamp() CONSTRAINT table_fact_booked_at_not_null NOT NULL
);


ALTER TABLE books.table_fact_other OWNER TO feltwork_owner;

--
-- Name: table_round; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.table_round (
    table_id text NOT NULL,
    link text NOT NULL,
    number bigint NOT NULL,
    state jsonb NOT NULL
);


ALTER TABLE books.table_round OWNER TO feltwork_owner;

--
-- Name: version; Type: TABLE; Schema: books; Owner: feltwork_owner
--

CREATE TABLE books.version (
    link text NOT NULL,
    fingerprint text NOT NULL,
    body text NOT NULL,
    registered_by text NOT NULL,
    registered_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);


ALTER TABLE books.version OWNER TO feltwork_owner;

--
-- Name: feltwork_schema; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.feltwork_schema (
    version_num character varying(32) NOT NULL
);


ALTER TABLE public.feltwork_schema OWNER TO postgres;

--
-- Name: audit_2026_11; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.audit ATTACH PARTITION books.audit_2026_11 FOR VALUES FROM ('2026-11-01 00:00:00+00') TO ('2026-12-01 00:00:00+00');


--
-- Name: audit_2026_12; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.audit ATTACH PARTITION books.audit_2026_12 FOR VALUES FROM ('2026-12-01 00:00:00+00') TO ('2027-01-01 00:00:00+00');


--
-- Name: audit_2027_01; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.audit ATTACH PARTITION books.audit_2027_01 FOR VALUES FROM ('2027-01-01 00:00:00+00') TO ('2027-02-01 00:00:00+00');


--
-- Name: audit_2027_02; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.audit ATTACH PARTITION books.audit_2027_02 FOR VALUES FROM ('2027-02-01 00:00:00+00') TO ('2027-03-01 00:00:00+00');


--
-- Name: audit_2027_03; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.audit ATTACH PARTITION books.audit_2027_03 FOR VALUES FROM ('2027-03-01 00:00:00+00') TO ('2027-04-01 00:00:00+00');


--
-- Name: audit_2027_04; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.audit ATTACH PARTITION books.audit_2027_04 FOR VALUES FROM ('2027-04-01 00:00:00+00') TO ('2027-05-01 00:00:00+00');


--
-- Name: audit_2027_05; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.audit ATTACH PARTITION books.audit_2027_05 FOR VALUES FROM ('2027-05-01 00:00:00+00') TO ('2027-06-01 00:00:00+00');


--
-- Name: audit_2027_06; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.audit ATTACH PARTITION books.audit_2027_06 FOR VALUES FROM ('2027-06-01 00:00:00+00') TO ('2027-07-01 00:00:00+00');


--
-- Name: audit_2027_07; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.audit ATTACH PARTITION books.audit_2027_07 FOR VALUES FROM ('2027-07-01 00:00:00+00') TO ('2027-08-01 00:00:00+00');


--
-- Name: audit_2027_08; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.audit ATTACH PARTITION books.audit_2027_08 FOR VALUES FROM ('2027-08-01 00:00:00+00') TO ('2027-09-01 00:00:00+00');


--
-- Name: audit_2027_09; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.audit ATTACH PARTITION books.audit_2027_09 FOR VALUES FROM ('2027-09-01 00:00:00+00') TO ('2027-10-01 00:00:00+00');


--
-- Name: audit_2027_10; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.audit ATTACH PARTITION books.audit_2027_10 FOR VALUES FROM ('2027-10-01 00:00:00+00') TO ('2027-11-01 00:00:00+00');


--
-- Name: audit_2027_11; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.audit ATTACH PARTITION books.audit_2027_11 FOR VALUES FROM ('2027-11-01 00:00:00+00') TO ('2027-12-01 00:00:00+00');


--
-- Name: audit_other; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.audit ATTACH PARTITION books.audit_other DEFAULT;


--
-- Name: entry_2026_11; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry ATTACH PARTITION books.entry_2026_11 FOR VALUES FROM ('2026-11-01 00:00:00+00') TO ('2026-12-01 00:00:00+00');


--
-- Name: entry_2026_12; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry ATTACH PARTITION books.entry_2026_12 FOR VALUES FROM ('2026-12-01 00:00:00+00') TO ('2027-01-01 00:00:00+00');


--
-- Name: entry_2027_01; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry ATTACH PARTITION books.entry_2027_01 FOR VALUES FROM ('2027-01-01 00:00:00+00') TO ('2027-02-01 00:00:00+00');


--
-- Name: entry_2027_02; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry ATTACH PARTITION books.entry_2027_02 FOR VALUES FROM ('2027-02-01 00:00:00+00') TO ('2027-03-01 00:00:00+00');


--
-- Name: entry_2027_03; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry ATTACH PARTITION books.entry_2027_03 FOR VALUES FROM ('2027-03-01 00:00:00+00') TO ('2027-04-01 00:00:00+00');


--
-- Name: entry_2027_04; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry ATTACH PARTITION books.entry_2027_04 FOR VALUES FROM ('2027-04-01 00:00:00+00') TO ('2027-05-01 00:00:00+00');


--
-- Name: entry_2027_05; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry ATTACH PARTITION books.entry_2027_05 FOR VALUES FROM ('2027-05-01 00:00:00+00') TO ('2027-06-01 00:00:00+00');


--
-- Name: entry_2027_06; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry ATTACH PARTITION books.entry_2027_06 FOR VALUES FROM ('2027-06-01 00:00:00+00') TO ('2027-07-01 00:00:00+00');


--
-- Name: entry_2027_07; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry ATTACH PARTITION books.entry_2027_07 FOR VALUES FROM ('2027-07-01 00:00:00+00') TO ('2027-08-01 00:00:00+00');


--
-- Name: entry_2027_08; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry ATTACH PARTITION books.entry_2027_08 FOR VALUES FROM ('2027-08-01 00:00:00+00') TO ('2027-09-01 00:00:00+00');


--
-- Name: entry_2027_09; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry ATTACH PARTITION books.entry_2027_09 FOR VALUES FROM ('2027-09-01 00:00:00+00') TO ('2027-10-01 00:00:00+00');


--
-- Name: entry_2027_10; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry ATTACH PARTITION books.entry_2027_10 FOR VALUES FROM ('2027-10-01 00:00:00+00') TO ('2027-11-01 00:00:00+00');


--
-- Name: entry_2027_11; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry ATTACH PARTITION books.entry_2027_11 FOR VALUES FROM ('2027-11-01 00:00:00+00') TO ('2027-12-01 00:00:00+00');


--
-- Name: entry_other; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry ATTACH PARTITION books.entry_other DEFAULT;


--
-- Name: round_2026_11; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round ATTACH PARTITION books.round_2026_11 FOR VALUES FROM ('2026-11-01 00:00:00+00') TO ('2026-12-01 00:00:00+00');


--
-- Name: round_2026_12; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round ATTACH PARTITION books.round_2026_12 FOR VALUES FROM ('2026-12-01 00:00:00+00') TO ('2027-01-01 00:00:00+00');


--
-- Name: round_2027_01; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round ATTACH PARTITION books.round_2027_01 FOR VALUES FROM ('2027-01-01 00:00:00+00') TO ('2027-02-01 00:00:00+00');


--
-- Name: round_2027_02; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round ATTACH PARTITION books.round_2027_02 FOR VALUES FROM ('2027-02-01 00:00:00+00') TO ('2027-03-01 00:00:00+00');


--
-- Name: round_2027_03; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round ATTACH PARTITION books.round_2027_03 FOR VALUES FROM ('2027-03-01 00:00:00+00') TO ('2027-04-01 00:00:00+00');


--
-- Name: round_2027_04; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round ATTACH PARTITION books.round_2027_04 FOR VALUES FROM ('2027-04-01 00:00:00+00') TO ('2027-05-01 00:00:00+00');


--
-- Name: round_2027_05; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round ATTACH PARTITION books.round_2027_05 FOR VALUES FROM ('2027-05-01 00:00:00+00') TO ('2027-06-01 00:00:00+00');


--
-- Name: round_2027_06; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round ATTACH PARTITION books.round_2027_06 FOR VALUES FROM ('2027-06-01 00:00:00+00') TO ('2027-07-01 00:00:00+00');


--
-- Name: round_2027_07; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round ATTACH PARTITION books.round_2027_07 FOR VALUES FROM ('2027-07-01 00:00:00+00') TO ('2027-08-01 00:00:00+00');


--
-- Name: round_2027_08; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round ATTACH PARTITION books.round_2027_08 FOR VALUES FROM ('2027-08-01 00:00:00+00') TO ('2027-09-01 00:00:00+00');


--
-- Name: round_2027_09; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round ATTACH PARTITION books.round_2027_09 FOR VALUES FROM ('2027-09-01 00:00:00+00') TO ('2027-10-01 00:00:00+00');


--
-- Name: round_2027_10; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round ATTACH PARTITION books.round_2027_10 FOR VALUES FROM ('2027-10-01 00:00:00+00') TO ('2027-11-01 00:00:00+00');


--
-- Name: round_2027_11; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round ATTACH PARTITION books.round_2027_11 FOR VALUES FROM ('2027-11-01 00:00:00+00') TO ('2027-12-01 00:00:00+00');


--
-- Name: round_end_2026_11; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round_end ATTACH PARTITION books.round_end_2026_11 FOR VALUES FROM ('2026-11-01 00:00:00+00') TO ('2026-12-01 00:00:00+00');


--
-- Name: round_end_2026_12; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round_end ATTACH PARTITION books.round_end_2026_12 FOR VALUES FROM ('2026-12-01 00:00:00+00') TO ('2027-01-01 00:00:00+00');


--
-- Name: round_end_2027_01; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round_end ATTACH PARTITION books.round_end_2027_01 FOR VALUES FROM ('2027-01-01 00:00:00+00') TO ('2027-02-01 00:00:00+00');


--
-- Name: round_end_2027_02; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round_end ATTACH PARTITION books.round_end_2027_02 FOR VALUES FROM ('2027-02-01 00:00:00+00') TO ('2027-03-01 00:00:00+00');


--
-- Name: round_end_2027_03; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round_end ATTACH PARTITION books.round_end_2027_03 FOR VALUES FROM ('2027-03-01 00:00:00+00') TO ('2027-04-01 00:00:00+00');


--
-- Name: round_end_2027_04; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round_end ATTACH PARTITION books.round_end_2027_04 FOR VALUES FROM ('2027-04-01 00:00:00+00') TO ('2027-05-01 00:00:00+00');


--
-- Name: round_end_2027_05; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round_end ATTACH PARTITION books.round_end_2027_05 FOR VALUES FROM ('2027-05-01 00:00:00+00') TO ('2027-06-01 00:00:00+00');


--
-- Name: round_end_2027_06; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round_end ATTACH PARTITION books.round_end_2027_06 FOR VALUES FROM ('2027-06-01 00:00:00+00') TO ('2027-07-01 00:00:00+00');


--
-- Name: round_end_2027_07; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round_end ATTACH PARTITION books.round_end_2027_07 FOR VALUES FROM ('2027-07-01 00:00:00+00') TO ('2027-08-01 00:00:00+00');


--
-- Name: round_end_2027_08; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round_end ATTACH PARTITION books.round_end_2027_08 FOR VALUES FROM ('2027-08-01 00:00:00+00') TO ('2027-09-01 00:00:00+00');


--
-- Name: round_end_2027_09; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round_end ATTACH PARTITION books.round_end_2027_09 FOR VALUES FROM ('2027-09-01 00:00:00+00') TO ('2027-10-01 00:00:00+00');


--
-- Name: round_end_2027_10; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round_end ATTACH PARTITION books.round_end_2027_10 FOR VALUES FROM ('2027-10-01 00:00:00+00') TO ('2027-11-01 00:00:00+00');


--
-- Name: round_end_2027_11; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round_end ATTACH PARTITION books.round_end_2027_11 FOR VALUES FROM ('2027-11-01 00:00:00+00') TO ('2027-12-01 00:00:00+00');


--
-- Name: round_end_other; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round_end ATTACH PARTITION books.round_end_other DEFAULT;


--
-- Name: round_other; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.round ATTACH PARTITION books.round_other DEFAULT;


--
-- Name: table_fact_2026_11; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.table_fact ATTACH PARTITION books.table_fact_2026_11 FOR VALUES FROM ('2026-11-01 00:00:00+00') TO ('2026-12-01 00:00:00+00');


--
-- Name: table_fact_2026_12; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.table_fact ATTACH PARTITION books.table_fact_2026_12 FOR VALUES FROM ('2026-12-01 00:00:00+00') TO ('2027-01-01 00:00:00+00');


--
-- Name: table_fact_2027_01; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.table_fact ATTACH PARTITION books.table_fact_2027_01 FOR VALUES FROM ('2027-01-01 00:00:00+00') TO ('2027-02-01 00:00:00+00');


--
-- Name: table_fact_2027_02; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.table_fact ATTACH PARTITION books.table_fact_2027_02 FOR VALUES FROM ('2027-02-01 00:00:00+00') TO ('2027-03-01 00:00:00+00');


--
-- Name: table_fact_2027_03; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.table_fact ATTACH PARTITION books.table_fact_2027_03 FOR VALUES FROM ('2027-03-01 00:00:00+00') TO ('2027-04-01 00:00:00+00');


--
-- Name: table_fact_2027_04; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.table_fact ATTACH PARTITION books.table_fact_2027_04 FOR VALUES FROM ('2027-04-01 00:00:00+00') TO ('2027-05-01 00:00:00+00');


--
-- Name: table_fact_2027_05; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.table_fact ATTACH PARTITION books.table_fact_2027_05 FOR VALUES FROM ('2027-05-01 00:00:00+00') TO ('2027-06-01 00:00:00+00');


--
-- Name: table_fact_2027_06; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.table_fact ATTACH PARTITION books.table_fact_2027_06 FOR VALUES FROM ('2027-06-01 00:00:00+00') TO ('2027-07-01 00:00:00+00');


--
-- Name: table_fact_2027_07; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.table_fact ATTACH PARTITION books.table_fact_2027_07 FOR VALUES FROM ('2027-07-01 00:00:00+00') TO ('2027-08-01 00:00:00+00');


--
-- Name: table_fact_2027_08; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.table_fact ATTACH PARTITION books.table_fact_2027_08 FOR VALUES FROM ('2027-08-01 00:00:00+00') TO ('2027-09-01 00:00:00+00');


--
-- Name: table_fact_2027_09; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.table_fact ATTACH PARTITION books.table_fact_2027_09 FOR VALUES FROM ('2027-09-01 00:00:00+00') TO ('2027-10-01 00:00:00+00');


--
-- Name: table_fact_2027_10; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.table_fact ATTACH PARTITION books.table_fact_2027_10 FOR VALUES FROM ('2027-10-01 00:00:00+00') TO ('2027-11-01 00:00:00+00');


--
-- Name: table_fact_2027_11; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.table_fact ATTACH PARTITION books.table_fact_2027_11 FOR VALUES FROM ('2027-11-01 00:00:00+00') TO ('2027-12-01 00:00:00+00');


--
-- Name: table_fact_other; Type: TABLE ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.table_fact ATTACH PARTITION books.table_fact_other DEFAULT;


--
-- Data for Name: approval; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.approval (proposal, fingerprint, answered_by, approved, answered_at) FROM stdin;
\.


--
-- Data for Name: audit_2026_11; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.audit_2026_11 (id, who, place, what, why, before, after, booked_at) FROM stdin;
1	init	office	person registered		\N	{"id": "ann", "role": "accounting", "badge": "B-ann"}	2026-11-15 04:58:45.001396+00
2	init	office	person registered		\N	{"id": "eve", "role": "executive", "badge": "B-eve"}	2026-11-15 04:58:45.976429+00
3	ann	office	floor registered	the first floor	\N	{"number": 1, "approved_by": "bob", "fingerprint": "81d4ef7edac0d460d765cfc98d6e03ffa0c43b67dc76b3042e0f1cc07d92952d"}	2026-11-15 04:58:45.9843+00
\.


--
-- Data for Name: audit_2026_12; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.audit_2026_12 (id, who, place, what, why, before, after, booked_at) FROM stdin;
\.


--
-- Data for Name: audit_2027_01; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.audit_2027_01 (id, who, place, what, why, before, after, booked_at) FROM stdin;
\.


--
-- Data for Name: audit_2027_02; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.audit_2027_02 (id, who, place, what, why, before, after, booked_at) FROM stdin;
\.


--
-- Data for Name: audit_2027_03; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.audit_2027_03 (id, who, place, what, why, before, after, booked_at) FROM stdin;
\.


--
-- Data for Name: audit_2027_04; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.audit_2027_04 (id, who, place, what, why, before, after, booked_at) FROM stdin;
\.


--
-- Data for Name: audit_2027_05; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.audit_2027_05 (id, who, place, what, why, before, after, booked_at) FROM stdin;
\.


--
-- Data for Name: audit_2027_06; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.audit_2027_06 (id, who, place, what, why, before, after, booked_at) FROM stdin;
\.


--
-- Data for Name: audit_2027_07; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.audit_2027_07 (id, who, place, what, why, before, after, booked_at) FROM stdin;
\.


--
-- Data for Name: audit_2027_08; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.audit_2027_08 (id, who, place, what, why, before, after, booked_at) FROM stdin;
\.


--
-- Data for Name: audit_2027_09; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.audit_2027_09 (id, who, place, what, why, before, after, booked_at) FROM stdin;
\.


--
-- Data for Name: audit_2027_10; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.audit_2027_10 (id, who, place, what, why, before, after, booked_at) FROM stdin;
\.


--
-- Data for Name: audit_2027_11; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.audit_2027_11 (id, who, place, what, why, before, after, booked_at) FROM stdin;
\.


--
-- Data for Name: audit_other; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.audit_other (id, who, place, what, why, before, after, booked_at) FROM stdin;
\.


--
-- Data for Name: award; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.award (link, id, table_id, round, seat, hand, claimed_by, claimed_at, status, level, from_meter, from_house, seed, reserve, locked, lock_number, restarts, supervisor, executive, place) FROM stdin;
L1	A1	T1	1	2	four_aces	dana	1800000003000000	paid	jackpot	10016320000	0	10000000000	3400000	t	1	t	sam	eve	1
L1	A2	T2	1	4	four_aces	dana	1800000008000000	reversed	jackpot	10005080000	0	10000000000	350000	t	2	t	sam	eve	4
H1	HA1	T1	1	1	royal_flush	dana	1794718726868898	paid	posted	0	500000000	0	0	t	0	f	sam		7
L1	A3	T1	2	3	four_aces	dana	1800000012000000	claimed		0	0	0	0	f	0	f			10
\.


--
-- Data for Name: balance; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.balance (link, account, amount) FROM stdin;
H1	house_pays/H1	-500000000
H1	patrons	500000000
L1	meter/L1/jackpot	10006810000
L1	drop/L1	58220000
L1	patrons	11134320000
L1	reserve/L1/jackpot	700000
L1	seed_advanced/L1/jackpot	-20000000000
L1	tray	-1200000000
L1	correction/L1	-50000
L2	seed_advanced/L2/jackpot	-500000000
L2	tray	-40000000
L2	meter/L2/jackpot	500720000
L2	patrons	37000000
L2	reserve/L2/jackpot	150000
L2	drop/L2	2130000
\.


--
-- Data for Name: chain_tail; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.chain_tail (link, number, hash, uncovered) FROM stdin;
L2	5	0cca42d0357de03e2db665572ece5bb4dee3eda0fb6e00d7a0f1c07f99479352	0
H1	5	bb957653620453495a0ec5f3b5bc1cb1ce5abd8854267088a347a3e0fde5e860	0
L1	26	181457588dc37d21f7499ec3c0ec09a91058f0b806a4664898187ceda23ff55f	0
\.


--
-- Data for Name: ended; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.ended (table_id, booked) FROM stdin;
T1	{[1,2)}
T2	{[1,2)}
T7	{[1,2)}
\.


--
-- Data for Name: entry_2026_11; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.entry_2026_11 (link, number, previous, hash, at, kind, body, fact, booked_at) FROM stdin;
L1	1	0000000000000000000000000000000000000000000000000000000000000000	d1dcd3ae48da2f59650c572287c3051a68d02a9217fb880cf085b4fa77470d86	1800000001000000	Opened	{"at":1800000001000000,"kind":"Opened","link":"L1","number":1,"postings":[["meter/L1/jackpot",10000000000],["seed_advanced/L1/jackpot",-10000000000]],"previous":"0000000000000000000000000000000000000000000000000000000000000000","references":{"fact":"9394195c94bd6787f249891dc066fbfa3602319ce76db0d005f9dc6465f6d3d5","version":"07d60e620a2e6c29dd6f0d362fed10b5d36cb6ba30aa83779dcf858e027eb418"}}	{"approved_by":"bob","at":1800000001000000,"by":"ann","kind":"Opened","link":"L1","opening":{"jackpot":10000000000},"version":"07d60e620a2e6c29dd6f0d362fed10b5d36cb6ba30aa83779dcf858e027eb418"}	2026-11-15 04:58:46.061326+00
L1	2	d1dcd3ae48da2f59650c572287c3051a68d02a9217fb880cf085b4fa77470d86	391c50e657868b0f4c28505109f779e2915b9fc99564e10401ebb064c77d8274	1794718726124926	Contributed	{"at":1794718726124926,"kind":"Contributed","link":"L1","number":2,"postings":[["drop/L1",8520000],["meter/L1/jackpot",2880000],["patrons/B1",-3000000],["patrons/B2",-3000000],["patrons/B3",-3000000],["patrons/B4",-3000000],["reserve/L1/jackpot",600000]],"previous":"d1dcd3ae48da2f59650c572287c3051a68d02a9217fb880cf085b4fa77470d86","references":{"fact":"8c15469ab2a9cda4e014863b88d2fb94b4a01f6ad4c9c3c1702a0b89cbaf31e6","paytable":"37142e5f4c8670c9194eabd8f89dafe135e82e4fd85b9cec092a1b4cb487c59b","rounds":"B1:1;B2:1;B3:1;B4:1","version":"07d60e620a2e6c29dd6f0d362fed10b5d36cb6ba30aa83779dcf858e027eb418"}}	{"at":1794718726124926,"kind":"Contributed","link":"L1","overflow":{},"paytable":"37142e5f4c8670c9194eabd8f89dafe135e82e4fd85b9cec092a1b4cb487c59b","rounds":{"B1":"1","B2":"1","B3":"1","B4":"1"},"to_house":8520000,"to_meter":{"jackpot":2880000},"to_reserve":{"jackpot":600000},"version":"07d60e620a2e6c29dd6f0d362fed10b5d36cb6ba30aa83779dcf858e027eb418","wager":1000000,"wagers":{"B1":3,"B2":3,"B3":3,"B4":3}}	2026-11-15 04:58:46.140337+00
L1	3	391c50e657868b0f4c28505109f779e2915b9fc99564e10401ebb064c77d8274	6dd6944c8bcc317df27e85944083e9988aba3bc17a5b44d96c6653abfeaefb74	1794718726161169	Contributed	{"at":1794718726161169,"kind":"Contributed","link":"L1","number":3,"postings":[["drop/L1",8520000],["meter/L1/jackpot",2880000],["patrons/B1",-3000000],["patrons/B2",-3000000],["patrons/B3",-3000000],["patrons/B4",-3000000],["reserve/L1/jackpot",600000]],"previous":"391c50e657868b0f4c28505109f779e2915b9fc99564e10401ebb064c77d8274","references":{"fact":"7f108a8921039b4579bb23138b5ea24e91ab53f2c3e4a7a8c74c265b8c7a879e","paytable":"37142e5f4c8670c9194eabd8f89dafe135e82e4fd85b9cec092a1b4cb487c59b","rounds":"B1:2;B2:2;B3:2;B4:2","version":"07d60e620a2e6c29dd6f0d362fed10b5d36cb6ba30aa83779dcf858e027eb418"}}	{"at":1794718726161169,"kind":"Contributed","link":"L1","overflow":{},"paytable":"37142e5f4c8670c9194eabd8f89dafe135e82e4fd85b9cec092a1b4cb487c59b","rounds":{"B1":"2","B2":"2","B3":"2","B4":"2"},"to_house":8520000,"to_meter":{"jackpot":2880000},"to_reserve":{"jackpot":600000},"version":"07d60e620a2e6c29dd6f0d362fed10b5d36cb6ba30aa83779dcf858e027eb418","wager":1000000,"wagers":{"B1":3,"B2":3,"B3":3,"B4":3}}	2026-11-15 04:58:46.165669+00
L1	4	6dd6944c8bcc317df27e85944083e9988aba3bc17a5b44d96c6653abfeaefb74	b84ff563ab58a4359f40ed15dfdc735d5b3a011aee7f77efe4ed10e21292f16d	1794718726170173	Contributed	{"at":1794718726170173,"kind":"Contributed","link":"L1","number":4,"postings":[["drop/L1",8520000],["meter/L1/jackpot",2880000],["patrons/B1",-3000000],["patrons/B2",-3000000],["patrons/B3",-3000000],["patrons/B4",-3000000],["reserve/L1/jackpot",600000]],"previous":"6dd6944c8bcc317df27e85944083e9988aba3bc17a5b44d96c6653abfeaefb74","references":{"fact":"5d2676ae94f750b7dcabf4f176026f02691c2e8ce0c85d99e82ad82dd1f4f029","paytable":"37142e5f4c8670c9194eabd8f89dafe135e82e4fd85b9cec092a1b4cb487c59b","rounds":"B1:3;B2:3;B3:3;B4:3","version":"07d60e620a2e6c29dd6f0d362fed10b5d36cb6ba30aa83779dcf858e027eb418"}}	{"at":1794718726170173,"kind":"Contributed","link":"L1","overflow":{},"paytable":"37142e5f4c8670c9194eabd8f89dafe135e82e4fd85b9cec092a1b4cb487c59b","rounds":{"B1":"3","B2":"3","B3":"3","B4":"3"},"to_house":8520000,"to_meter":{"jackpot":2880000},"to_reserve":{"jackpot":600000},"version":"07d60e620a2e6c29dd6f0d362fed10b5d36cb6ba30aa83779dcf858e027eb418","wager":1000000,"wagers":{"B1":3,"B2":3,"B3":3,"B4":3}}	2026-11-15 04:58:46.175615+00
L1	5	b84ff563ab58a4359f40ed15dfdc735d5b3a011aee7f77efe4ed10e21292f16d	bd284d74228505fa3eb0a8659287352fd904c844282a1b6f39456afb69b163f8	1794718726204683	Contributed	{"at":1794718726204683,"kind":"Contributed","link":"L1","number":5,"postings":[["drop/L1",8520000],["meter/L1/jackpot",2880000],["patrons/B1",-3000000],["patrons/B2",-3000000],["patrons/B3",-3000000],["patrons/B4",-3000000],["reserve/L1/jackpot",600000]],"previous":"b84ff563ab58a4359f40ed15dfdc735d5b3a011aee7f77efe4ed10e21292f16d","references":{"fact":"4c1accf2bbbaa3782967c4587468ba6519193657ea48d691c21d379ee83516e9","paytable":"37142e5f4c8670c9194eabd8f89dafe135e82e4fd85b9cec092a1b4cb487c59b","rounds":"B1:4;B2:4;B3:4;B4:4","version":"07d60e620a2e6c29dd6f0d362fed10b5d36cb6ba30aa83779dcf858e027eb418"}}	{"at":1794718726204683,"kind":"Contributed","link":"L1","overflow":{},"paytable":"37142e5f4c8670c9194eabd8f89dafe135e82e4fd85b9cec092a1b4cb487c59b","rounds":{"B1":"4","B2":"4","B3":"4","B4":"4"},"to_house":8520000,"to_meter":{"jackpot":2880000},"to_reserve":{"jackpot":600000},"version":"07d60e620a2e6c29dd6f0d362fed10b5d36cb6ba30aa83779dcf858e027eb418","wager":1000000,"wagers":{"B1":3,"B2":3,"B3":3,"B4":3}}	2026-11-15 04:58:46.206298+00
L1	6	bd284d74228505fa3eb0a8659287352fd904c844282a1b6f39456afb69b163f8	ff685bcd0ca2fa0db0bb06a9f7a5336fe7c0fc5017b57b00fa4f24979ffc8416	1794718726220324	Contributed	{"at":1794718726220324,"kind":"Contributed","link":"L1","number":6,"postings":[["drop/L1",8520000],["meter/L1/jackpot",2880000],["patrons/B1",-3000000],["patrons/B2",-3000000],["patrons/B3",-3000000],["patrons/B4",-3000000],["reserve/L1/jackpot",600000]],"previous":"bd284d74228505fa3eb0a8659287352fd904c844282a1b6f39456afb69b163f8","references":{"fact":"3eba1b5be4e2901be87ac1f688d7cdf4c0d3f5f6b0a48a1ee44901ca538ac13e","paytable":"37142e5f4c8670c9194eabd8f89dafe135e82e4fd85b9cec092a1b4cb487c59b","rounds":"B1:5;B2:5;B3:5;B4:5","version":"07d60e620a2e6c29dd6f0d362fed10b5d36cb6ba30aa83779dcf858e027eb418"}}	{"at":1794718726220324,"kind":"Contributed","link":"L1","overflow":{},"paytable":"37142e5f4c8670c9194eabd8f89dafe135e82e4fd85b9cec092a1b4cb487c59b","rounds":{"B1":"5","B2":"5","B3":"5","B4":"5"},"to_house":8520000,"to_meter":{"jackpot":2880000},"to_reserve":{"jackpot":600000},"version":"07d60e620a2e6c29dd6f0d362fed10b5d36cb6ba30aa83779dcf858e027eb418","wager":1000000,"wagers":{"B1":3,"B2":3,"B3":3,"B4":3}}	2026-11-15 04:58:46.221839+00
L1	7	ff685bcd0ca2fa0db0bb06a9f7a5336fe7c0fc5017b57b00fa4f24979ffc8416	cd2716265630bbb39f0eabd26f2cd943ce57dd5fbeb2c0a9bfef2afd55be15c4	1794718726239414	Contributed	{"at":1794718726239414,"kind":"Contributed","link":"L1","number":7,"postings":[["drop/L1",710000],["meter/L1/jackpot",240000],["patrons/B1",-1000000],["reserve/L1/jackpot",50000]],"previous":"ff685bcd0ca2fa0db0bb06a9f7a5336fe7c0fc5017b57b00fa4f24979ffc8416","references":{"fact":"5ab7b62798f8f0d7bb8ef6588ce5ec563e4949837f30e72b1186f90829466296","paytable":"37142e5f4c8670c9194eabd8f89dafe135e82e4fd85b9cec092a1b4cb487c59b","rounds":"B1:8","version":"07d60e620a2e6c29dd6f0d362fed10b5d36cb6ba30aa83779dcf858e027eb418"}}	{"at":1794718726239414,"kind":"Contributed","link":"L1","overflow":{},"paytable":"37142e5f4c8670c9194eabd8f89dafe135e82e4fd85b9cec092a1b4cb487c59b","rounds":{"B1":"8"},"to_house":710000,"to_meter":{"jackpot":240000},"to_reserve":{"jackpot":50000},"version":"07d60e620a2e6c29dd6f0d362fed10b5d36cb6ba30aa83779dcf858e027eb418","wager":1000000,"wagers":{"B1":1}}	2026-11-15 04:58:46.244276+00
L1	8	cd2716265630bbb39f0eabd26f2cd943ce57dd5fbeb2c0a9bfef2afd55be15c4	ad6938873b3f98b2b003825b76c4a7a9af820730ca8436dcbd00d41cddb16db5	1800000002000000	Contributed	{"at":1800000002000000,"kind":"Contributed","link":"L1","number":8,"postings":[["drop/L1",4970000],["meter/L1/jackpot",1680000],["patrons/T1",-7000000],["reserve/L1/jackpot",350000]],"previous":"cd2716265630bbb39f0eabd26f2cd943ce57dd5fbeb2c0a9bfef2afd55be15c4","references":{"fact":"6269956190c6d0a7f136b9be3043a4d45ead95c246b98f7eacae0a59ab602094","paytable":"37142e5f4c8670c9194eabd8f89dafe135e82e4fd85b9cec092a1b4cb487c59b","rounds":"T1:1","version":"07d60e620a2e6c29dd6f0d362fed10b5d36cb6ba30aa83779dcf858e027eb418"}}	{"at":1800000002000000,"kind":"Contributed","link":"L1","overflow":{},"paytable":"37142e5f4c8670c9194eabd8f89dafe135e82e4fd85b9cec092a1b4cb487c59b","rounds":{"T1":"1"},"to_house":4970000,"to_meter":{"jackpot":1680000},"to_reserve":{"jackpot":350000},"version":"07d60e620a2e6c29dd6f0d362fed10b5d36cb6ba30aa83779dcf858e027eb418","wager":1000000,"wagers":{"T1":7}}	2026-11-15 04:58:46.263019+00
L1	9	ad6938873b3f98b2b003825b76c4a7a9af820730ca8436dcbd00d41cddb16db5	caed5bcf1a4c781937e53ec5e6f3f1ef056b65348ba9d8bc84920588a615ce77	1800000003000000	Claimed	{"at":1800000003000000,"kind":"Claimed","link":"L1","number":9,"postings":[],"previous":"ad6938873b3f98b2b003825b76c4a7a9af820730ca8436dcbd00d41cddb16db5","references":{"award":"A1","fact":"6fb86a93ec0e99bcfb5d3e8af16b8fa93c4aa058590e29de8be8597f75ea74c4","round":"1","table":"T1"}}	{"at":1800000003000000,"award":"A1","by":"dana","hand":"four_aces","kind":"Claimed","link":"L1","round":1,"seat":2,"table":"T1"}	2026-11-15 04:58:46.296253+00
L1	10	caed5bcf1a4c781937e53ec5e6f3f1ef056b65348ba9d8bc84920588a615ce77	34d7331c3403158f93d00cad21faf8720d5cf1b5c20167058206b568c6c821b7	1800000004000000	Locked	{"at":1800000004000000,"kind":"Locked","link":"L1","number":10,"postings":[["meter/L1/jackpot",-12920000],["pending/L1/jackpot",10016320000],["reserve/L1/jackpot",-3400000],["seed_advanced/L1/jackpot",-10000000000]],"previous":"caed5bcf1a4c781937e53ec5e6f3f1ef056b65348ba9d8bc84920588a615ce77","references":{"award":"A1","fact":"bfdb547e3e5c480ea158ec828ffc2f0ed85eb3cef9784f93a0ddcdcda2d46d4d"}}	{"at":1800000004000000,"award":"A1","from_house":0,"from_meter":10016320000,"kind":"Locked","level":"jackpot","link":"L1","reserve":3400000,"restarts":true,"seed":10000000000}	2026-11-15 04:58:46.336241+00
L1	11	34d7331c3403158f93d00cad21faf8720d5cf1b5c20167058206b568c6c821b7	0542ca74e67c2962dfc6e62c32e3e719eba19a3ee8b9f48592fa7f01c2958367	1800000004000000	Confirmed	{"at":1800000004000000,"kind":"Confirmed","link":"L1","number":11,"postings":[["payable/L1/A1",10016320000],["pending/L1/jackpot",-10016320000]],"previous":"34d7331c3403158f93d00cad21faf8720d5cf1b5c20167058206b568c6c821b7","references":{"award":"A1","fact":"2d82705cb443decd5321eb109a9133ec88299e4ea48645fc0d9770dc0188db89"}}	{"at":1800000004000000,"award":"A1","executive":"eve","from_house":0,"from_meter":10016320000,"kind":"Confirmed","level":"jackpot","link":"L1","restarts":true,"supervisor":"sam"}	2026-11-15 04:58:46.337136+00
L1	12	0542ca74e67c2962dfc6e62c32e3e719eba19a3ee8b9f48592fa7f01c2958367	fc9ac82a38f6222bfc93f9b3f26daa9889a7bbb821e7b9e0d7ea6d32a645c755	1800000005000000	Paid	{"at":1800000005000000,"kind":"Paid","link":"L1","number":12,"postings":[["patrons/T1",10016320000],["payable/L1/A1",-10016320000]],"previous":"0542ca74e67c2962dfc6e62c32e3e719eba19a3ee8b9f48592fa7f01c2958367","references":{"award":"A1","fact":"c130af2a6a50e2741ba2bcc6f2df185e0bed7b89506067c5729713ad08b991b0","table":"T1"}}	{"amount":10016320000,"at":1800000005000000,"award":"A1","by":"cara","form":"check","kind":"Paid","link":"L1","table":"T1"}	2026-11-15 04:58:46.366002+00
L1	13	fc9ac82a38f6222bfc93f9b3f26daa9889a7bbb821e7b9e0d7ea6d32a645c755	f63d7dad6c495ddbc73a2e4de744d6ef8c312571cf170925d97a7660ff55775a	1800000006000000	PaidFromTray	{"at":1800000006000000,"kind":"PaidFromTray","link":"L1","number":13,"postings":[["patrons/T1",600000000],["tray/T1",-600000000]],"previous":"fc9ac82a38f6222bfc93f9b3f26daa9889a7bbb821e7b9e0d7ea6d32a645c755","references":{"fact":"e12dc03d40a212cc209155c958d62faedf20d0ac33e76d1db75666460dc301cb","rounds":"T1:1"}}	{"at":1800000006000000,"envy":{"T1":600000000},"fixed":{"T1":0},"kind":"PaidFromTray","link":"L1","rounds":{"T1":"1"}}	2026-11-15 04:58:46.381832+00
L1	14	f63d7dad6c495ddbc73a2e4de744d6ef8c312571cf170925d97a7660ff55775a	e99eb92e4b5162598beaac1f3d1103424148b0605d4a99257f58d2012461c5f5	1800000007000000	Contributed	{"at":1800000007000000,"kind":"Contributed","link":"L1","number":14,"postings":[["drop/L1",4970000],["meter/L1/jackpot",1680000],["patrons/T2",-7000000],["reserve/L1/jackpot",350000]],"previous":"f63d7dad6c495ddbc73a2e4de744d6ef8c312571cf170925d97a7660ff55775a","references":{"fact":"5e5cdbfa78eead951c2458eadc50b87e12e37c6d73c996d517073c4148ff797f","paytable":"37142e5f4c8670c9194eabd8f89dafe135e82e4fd85b9cec092a1b4cb487c59b","rounds":"T2:1","version":"07d60e620a2e6c29dd6f0d362fed10b5d36cb6ba30aa83779dcf858e027eb418"}}	{"at":1800000007000000,"kind":"Contributed","link":"L1","overflow":{},"paytable":"37142e5f4c8670c9194eabd8f89dafe135e82e4fd85b9cec092a1b4cb487c59b","rounds":{"T2":"1"},"to_house":4970000,"to_meter":{"jackpot":1680000},"to_reserve":{"jackpot":350000},"version":"07d60e620a2e6c29dd6f0d362fed10b5d36cb6ba30aa83779dcf858e027eb418","wager":1000000,"wagers":{"T2":7}}	2026-11-15 04:58:46.410244+00
L1	15	e99eb92e4b5162598beaac1f3d1103424148b0605d4a99257f58d2012461c5f5	6a84d75e4e462ee3105a9ea619eb44346e7822d87287e6a9d6c0566a4de59a8d	1800000008000000	Claimed	{"at":1800000008000000,"kind":"Claimed","link":"L1","number":15,"postings":[],"previous":"e99eb92e4b5162598beaac1f3d1103424148b0605d4a99257f58d2012461c5f5","references":{"award":"A2","fact":"69758f057df06415a295c4c7b4888de64cb615f42adedfb88cbf96435d9f482d","round":"1","table":"T2"}}	{"at":1800000008000000,"award":"A2","by":"dana","hand":"four_aces","kind":"Claimed","link":"L1","round":1,"seat":4,"table":"T2"}	2026-11-15 04:58:46.435394+00
L1	16	6a84d75e4e462ee3105a9ea619eb44346e7822d87287e6a9d6c0566a4de59a8d	476749be8f87580f3eb51bd8daf0a64d2c75ec96be643e097556927166b3ed44	1800000009000000	Locked	{"at":1800000009000000,"kind":"Locked","link":"L1","number":16,"postings":[["meter/L1/jackpot",-4730000],["pending/L1/jackpot",10005080000],["reserve/L1/jackpot",-350000],["seed_advanced/L1/jackpot",-10000000000]],"previous":"6a84d75e4e462ee3105a9ea619eb44346e7822d87287e6a9d6c0566a4de59a8d","references":{"award":"A2","fact":"f17a67a47ae7ac7d369d1ce7fba1927d8cc8092fee9b76fdc76fc82bf8e6222b"}}	{"at":1800000009000000,"award":"A2","from_house":0,"from_meter":10005080000,"kind":"Locked","level":"jackpot","link":"L1","reserve":350000,"restarts":true,"seed":10000000000}	2026-11-15 04:58:46.464255+00
L1	17	476749be8f87580f3eb51bd8daf0a64d2c75ec96be643e097556927166b3ed44	e2aa07ebea872e08f770cea25764a8aceafffdf0507ddafbc5320de3a84bd75f	1800000009000000	Confirmed	{"at":1800000009000000,"kind":"Confirmed","link":"L1","number":17,"postings":[["payable/L1/A2",10005080000],["pending/L1/jackpot",-10005080000]],"previous":"476749be8f87580f3eb51bd8daf0a64d2c75ec96be643e097556927166b3ed44","references":{"award":"A2","fact":"f70e6862c5592093cddb60345d1b147da4fbe9486c245b019d203d177664eba9"}}	{"at":1800000009000000,"award":"A2","executive":"eve","from_house":0,"from_meter":10005080000,"kind":"Confirmed","level":"jackpot","link":"L1","restarts":true,"supervisor":"sam"}	2026-11-15 04:58:46.464884+00
L1	18	e2aa07ebea872e08f770cea25764a8aceafffdf0507ddafbc5320de3a84bd75f	8a8a9402a7d22e8b17da36e4c21706a809b9ea2a15c54700798e4568a7abc307	1794718726472939	Reversed	{"at":1794718726472939,"kind":"Reversed","link":"L1","number":18,"postings":[["meter/L1/jackpot",4730000],["payable/L1/A2",-10005080000],["reserve/L1/jackpot",350000],["seed_advanced/L1/jackpot",10000000000]],"previous":"e2aa07ebea872e08f770cea25764a8aceafffdf0507ddafbc5320de3a84bd75f","references":{"adjustment":"R1","award":"A2","fact":"5323818d8f8a2be7fab80ae18c2f6ebe0a5fbc6f0fea5d70d307d857f4e8df69","table":"T2"}}	{"adjustment":"R1","approved_by":"bob","at":1794718726472939,"award":"A2","by":"ann","evidence":"tape","kind":"Reversed","level":"jackpot","link":"L1","reason":"as agreed","reserve":350000,"seed":10000000000,"table":"T2","to_house":0,"to_meter":10005080000,"was_paid":false}	2026-11-15 04:58:46.484056+00
L1	19	8a8a9402a7d22e8b17da36e4c21706a809b9ea2a15c54700798e4568a7abc307	0f3f01a7db5bedf2b9111325b8bdf779b7b97d46d2cce5bfc2aae91f0942846e	1800000010000000	PaidFromTray	{"at":1800000010000000,"kind":"PaidFromTray","link":"L1","number":19,"postings":[["patrons/T2",600000000],["tray/T2",-600000000]],"previous":"8a8a9402a7d22e8b17da36e4c21706a809b9ea2a15c54700798e4568a7abc307","references":{"fact":"6fcff1ea873c68142d670b1990a0e94ae7a58403d6839b14abbf4efaaa5b1cae","rounds":"T2:1"}}	{"at":1800000010000000,"envy":{"T2":600000000},"fixed":{"T2":0},"kind":"PaidFromTray","link":"L1","rounds":{"T2":"1"}}	2026-11-15 04:58:46.500695+00
L1	20	0f3f01a7db5bedf2b9111325b8bdf779b7b97d46d2cce5bfc2aae91f0942846e	ac950e5d4e54489b86a38f0870bbf59548448e7b6c52089f1ec93b15174e5034	1794718726524964	Adjusted.MALFUNCTION_CORRECTION	{"at":1794718726524964,"kind":"Adjusted.MALFUNCTION_CORRECTION","link":"L1","number":20,"postings":[["correction/L1",-50000],["meter/L1/jackpot",50000]],"previous":"0f3f01a7db5bedf2b9111325b8bdf779b7b97d46d2cce5bfc2aae91f0942846e","references":{"adjustment":"J1","fact":"228e28ef0abd0a2323882e048d8320d717640ef8571f76ee08afa7b4f698896e"}}	{"adjustment":"J1","after":10005130000,"approved_by":"bob","at":1794718726524964,"before":10005080000,"by":"ann","evidence":"paper","kind":"Adjusted","level":"jackpot","link":"L1","pool":"meter","reason":"MALFUNCTION_CORRECTION","text":"a sensor"}	2026-11-15 04:58:46.525831+00
L1	21	ac950e5d4e54489b86a38f0870bbf59548448e7b6c52089f1ec93b15174e5034	8b64da3d6db690783499c20433d89b8031486641f4eca73929e365ede2c78af0	1794718726546183	FundsCounted	{"at":1794718726546183,"kind":"FundsCounted","link":"L1","number":21,"postings":[],"previous":"ac950e5d4e54489b86a38f0870bbf59548448e7b6c52089f1ec93b15174e5034","references":{"fact":"420a7b13b45f53cd76ccb325b98fea0b09d7c8538f95b9ff04cd1025f086f6a6"}}	{"accrued":10005480000,"at":1794718726546183,"bank_balance":100000000000,"by":"cid","kind":"FundsCounted","link":"L1","required":10005480000}	2026-11-15 04:58:46.563782+00
L1	22	8b64da3d6db690783499c20433d89b8031486641f4eca73929e365ede2c78af0	531953981a040efc309518556e464f9e5c7b549a74e7046aaff14200b0af1e1e	1794718726593170	Stopped	{"at":1794718726593170,"kind":"Stopped","link":"L1","number":22,"postings":[],"previous":"8b64da3d6db690783499c20433d89b8031486641f4eca73929e365ede2c78af0","references":{"fact":"0bbb5b47af19e8cca006580b8b49a899b07cf7d4500c2de40ade542407f52a00"}}	{"at":1794718726593170,"by":"ann","cause":"suspended","kind":"Stopped","link":"L1","reason":"a new version"}	2026-11-15 04:58:46.594594+00
L1	23	531953981a040efc309518556e464f9e5c7b549a74e7046aaff14200b0af1e1e	4c3b5ff1965ae9472ee34223109ef72affaf8abfb3c3237121e75a1495870158	1794718726618013	Reconfigured	{"at":1794718726618013,"kind":"Reconfigured","link":"L1","number":23,"postings":[],"previous":"531953981a040efc309518556e464f9e5c7b549a74e7046aaff14200b0af1e1e","references":{"fact":"4eb47a4d75d77b577d8fd06421c4ef4ebb8eb91083b05bb6a059474d85a9a497","version":"4087d0a6ddd8ba949a234a49176d5483e2cdd128e9c2713882f806372c3666c5"}}	{"approved_by":"bob","at":1794718726618013,"before":"07d60e620a2e6c29dd6f0d362fed10b5d36cb6ba30aa83779dcf858e027eb418","by":"ann","kind":"Reconfigured","link":"L1","version":"4087d0a6ddd8ba949a234a49176d5483e2cdd128e9c2713882f806372c3666c5"}	2026-11-15 04:58:46.621906+00
L1	24	4c3b5ff1965ae9472ee34223109ef72affaf8abfb3c3237121e75a1495870158	af7de2c9b992619f1142c1352ff5edfe04cf673bf5e50be9587e557ac87a9718	1794718726641333	Cured	{"at":1794718726641333,"kind":"Cured","link":"L1","number":24,"postings":[],"previous":"4c3b5ff1965ae9472ee34223109ef72affaf8abfb3c3237121e75a1495870158","references":{"fact":"83abfdbc5f0e2fa674ffce5c4e6bca696fec224934028949abdf81ab484c6bfd"}}	{"approved_by":"bob","at":1794718726641333,"by":"ann","cause":"suspended","evidence":"as agreed","kind":"Cured","link":"L1"}	2026-11-15 04:58:46.64282+00
L2	1	0000000000000000000000000000000000000000000000000000000000000000	dc0aef260d032d304dd2f06278b3a0aa0ae9e8bcca06d2d37d8bf3989d844cd9	1800000001000000	Opened	{"at":1800000001000000,"kind":"Opened","link":"L2","number":1,"postings":[["meter/L2/jackpot",500000000],["seed_advanced/L2/jackpot",-500000000]],"previous":"0000000000000000000000000000000000000000000000000000000000000000","references":{"fact":"d10547eed6d68cf5e97a87ff5b99596453110e609871c9eb51adcd773427ca3f","version":"f6bdb699babd7e3b7810e5a031646ff65bc2201851c03a3386b6ee114dced8a0"}}	{"approved_by":"bob","at":1800000001000000,"by":"ann","kind":"Opened","link":"L2","opening":{"jackpot":500000000},"version":"f6bdb699babd7e3b7810e5a031646ff65bc2201851c03a3386b6ee114dced8a0"}	2026-11-15 04:58:46.672379+00
L2	2	dc0aef260d032d304dd2f06278b3a0aa0ae9e8bcca06d2d37d8bf3989d844cd9	2b9580974cd4ea8a565c359d5f4dce78b92dc5873566267a12d2dbe7d77bc5f2	1800000002000000	Contributed	{"at":1800000002000000,"kind":"Contributed","link":"L2","number":2,"postings":[["drop/L2",2130000],["meter/L2/jackpot",720000],["patrons/T7",-3000000],["reserve/L2/jackpot",150000]],"previous":"dc0aef260d032d304dd2f06278b3a0aa0ae9e8bcca06d2d37d8bf3989d844cd9","references":{"fact":"98ade4e3e74a3986206afa178159294733e5e1d222df39f91da569f037041051","paytable":"2a82ec5eb95a3392ce4ecfe76b9ae245a87e6cfa093d30269372db133933c810","rounds":"T7:1","version":"f6bdb699babd7e3b7810e5a031646ff65bc2201851c03a3386b6ee114dced8a0"}}	{"at":1800000002000000,"kind":"Contributed","link":"L2","overflow":{},"paytable":"2a82ec5eb95a3392ce4ecfe76b9ae245a87e6cfa093d30269372db133933c810","rounds":{"T7":"1"},"to_house":2130000,"to_meter":{"jackpot":720000},"to_reserve":{"jackpot":150000},"version":"f6bdb699babd7e3b7810e5a031646ff65bc2201851c03a3386b6ee114dced8a0","wager":1000000,"wagers":{"T7":3}}	2026-11-15 04:58:46.697364+00
L2	3	2b9580974cd4ea8a565c359d5f4dce78b92dc5873566267a12d2dbe7d77bc5f2	76d3ce58990116cb14d599762daf3d835d54cf20b8c7b031718cad654d2ebc68	1800000004000000	PaidFromTray	{"at":1800000004000000,"kind":"PaidFromTray","link":"L2","number":3,"postings":[["patrons/T7",40000000],["tray/T7",-40000000]],"previous":"2b9580974cd4ea8a565c359d5f4dce78b92dc5873566267a12d2dbe7d77bc5f2","references":{"fact":"bea3b4d918f038d80bbb6490e4e9fc71635f89eaef4003f915ea0aa5c1142ad2","rounds":"T7:1"}}	{"at":1800000004000000,"envy":{"T7":0},"fixed":{"T7":40000000},"kind":"PaidFromTray","link":"L2","rounds":{"T7":"1"}}	2026-11-15 04:58:46.752273+00
L2	4	76d3ce58990116cb14d599762daf3d835d54cf20b8c7b031718cad654d2ebc68	271727acacaf7af49526ca04a3bae33101f3d5cfd7222278239bd48ce8d23ad6	1800000005000000	Contributed	{"at":1800000005000000,"kind":"Contributed","link":"L2","number":4,"postings":[["drop/L2",1420000],["meter/L2/jackpot",480000],["patrons/T8",-2000000],["reserve/L2/jackpot",100000]],"previous":"76d3ce58990116cb14d599762daf3d835d54cf20b8c7b031718cad654d2ebc68","references":{"fact":"e2c937ace7883fcc0dd96443b92155e23a228ba284eef772aa55b22669c4379b","paytable":"2a82ec5eb95a3392ce4ecfe76b9ae245a87e6cfa093d30269372db133933c810","rounds":"T8:1","version":"f6bdb699babd7e3b7810e5a031646ff65bc2201851c03a3386b6ee114dced8a0"}}	{"at":1800000005000000,"kind":"Contributed","link":"L2","overflow":{},"paytable":"2a82ec5eb95a3392ce4ecfe76b9ae245a87e6cfa093d30269372db133933c810","rounds":{"T8":"1"},"to_house":1420000,"to_meter":{"jackpot":480000},"to_reserve":{"jackpot":100000},"version":"f6bdb699babd7e3b7810e5a031646ff65bc2201851c03a3386b6ee114dced8a0","wager":1000000,"wagers":{"T8":2}}	2026-11-15 04:58:46.773103+00
L2	5	271727acacaf7af49526ca04a3bae33101f3d5cfd7222278239bd48ce8d23ad6	0cca42d0357de03e2db665572ece5bb4dee3eda0fb6e00d7a0f1c07f99479352	1800000006000000	Misdealt	{"at":1800000006000000,"kind":"Misdealt","link":"L2","number":5,"postings":[["drop/L2",-1420000],["meter/L2/jackpot",-480000],["patrons/T8",2000000],["reserve/L2/jackpot",-100000]],"previous":"271727acacaf7af49526ca04a3bae33101f3d5cfd7222278239bd48ce8d23ad6","references":{"fact":"d2156b24ea748f729fbe4f7fe21fd27303023fd7a942ebc14610012400b2d4fc","reverses":"4","round":"1","table":"T8"}}	{"at":1800000006000000,"by":"sam","from_house":1420000,"from_meter":{"jackpot":480000},"from_reserve":{"jackpot":100000},"kind":"Misdealt","link":"L2","reverses":4,"round":1,"table":"T8","wagers":2}	2026-11-15 04:58:46.803892+00
H1	1	0000000000000000000000000000000000000000000000000000000000000000	450f917a11015162c5de501293ce9be2dfc7c465c1fc5f971e190d8efe50d7d0	1794718726836705	AmountSet	{"at":1794718726836705,"kind":"AmountSet","link":"H1","number":1,"postings":[],"previous":"0000000000000000000000000000000000000000000000000000000000000000","references":{"fact":"a8f3f921cc9401142fc4e2445063bf4850dfbe8fb016feda2a240a3117546853"}}	{"after":500000000,"approved_by":"bob","at":1794718726836705,"before":0,"by":"ann","kind":"AmountSet","link":"H1","reason":"as agreed"}	2026-11-15 04:58:46.848761+00
H1	2	450f917a11015162c5de501293ce9be2dfc7c465c1fc5f971e190d8efe50d7d0	b0cd3ea982ba236f48a07447bbacd586b65d341855b16ae60a34047fcd13a7c4	1794718726868898	Claimed	{"at":1794718726868898,"kind":"Claimed","link":"H1","number":2,"postings":[],"previous":"450f917a11015162c5de501293ce9be2dfc7c465c1fc5f971e190d8efe50d7d0","references":{"award":"HA1","fact":"a3b13e9b8e9b0bd1bfecbec24f7842188064d02dd91af19b7318574ed9bcd93e","round":"1","table":"T1"}}	{"at":1794718726868898,"award":"HA1","by":"dana","hand":"royal_flush","kind":"Claimed","link":"H1","round":1,"seat":1,"table":"T1"}	2026-11-15 04:58:46.8697+00
H1	3	b0cd3ea982ba236f48a07447bbacd586b65d341855b16ae60a34047fcd13a7c4	4f838c483065f77797c19f7f91a2b4a79d793b343dba81cf8fe1906c7ccb56a6	1794718726888986	Locked	{"at":1794718726888986,"kind":"Locked","link":"H1","number":3,"postings":[["house_pays/H1",-500000000],["pending/H1/posted",500000000]],"previous":"b0cd3ea982ba236f48a07447bbacd586b65d341855b16ae60a34047fcd13a7c4","references":{"award":"HA1","fact":"20622080fa68d21fed17532336c089aa6141a17782efd752fe9b2249cfd75d73"}}	{"at":1794718726888986,"award":"HA1","from_house":500000000,"from_meter":0,"kind":"Locked","level":"posted","link":"H1","reserve":0,"restarts":false,"seed":0}	2026-11-15 04:58:46.890843+00
H1	4	4f838c483065f77797c19f7f91a2b4a79d793b343dba81cf8fe1906c7ccb56a6	783e003c3c8e82a43a5d83a7e2231e722596e9a394a00b4d8a9f30377fae3c29	1794718726888986	Confirmed	{"at":1794718726888986,"kind":"Confirmed","link":"H1","number":4,"postings":[["payable/H1/HA1",500000000],["pending/H1/posted",-500000000]],"previous":"4f838c483065f77797c19f7f91a2b4a79d793b343dba81cf8fe1906c7ccb56a6","references":{"award":"HA1","fact":"db2f310ffadac3c54cf9d833a7d159dc1c440a1a3e74b51c59341d19b62a596e"}}	{"at":1794718726888986,"award":"HA1","executive":"","from_house":500000000,"from_meter":0,"kind":"Confirmed","level":"posted","link":"H1","restarts":false,"supervisor":"sam"}	2026-11-15 04:58:46.897225+00
H1	5	783e003c3c8e82a43a5d83a7e2231e722596e9a394a00b4d8a9f30377fae3c29	bb957653620453495a0ec5f3b5bc1cb1ce5abd8854267088a347a3e0fde5e860	1794718726905403	Paid	{"at":1794718726905403,"kind":"Paid","link":"H1","number":5,"postings":[["patrons/T1",500000000],["payable/H1/HA1",-500000000]],"previous":"783e003c3c8e82a43a5d83a7e2231e722596e9a394a00b4d8a9f30377fae3c29","references":{"award":"HA1","fact":"fc9fa4161db476290d35ce187ea9cccc815da7005d534b2db5b5f77b41d1a3f7","table":"T1"}}	{"amount":500000000,"at":1794718726905403,"award":"HA1","by":"cara","form":"chips","kind":"Paid","link":"H1","table":"T1"}	2026-11-15 04:58:46.916251+00
L1	25	af7de2c9b992619f1142c1352ff5edfe04cf673bf5e50be9587e557ac87a9718	2af05494b55d8df82edbc21b507b87ec375c4011bbfd69e767cffbf2dc9f801d	1800000011000000	Contributed	{"at":1800000011000000,"kind":"Contributed","link":"L1","number":25,"postings":[["drop/L1",4970000],["meter/L1/jackpot",1680000],["patrons/T1",-7000000],["reserve/L1/jackpot",350000]],"previous":"af7de2c9b992619f1142c1352ff5edfe04cf673bf5e50be9587e557ac87a9718","references":{"fact":"fcee6c75998a593fe267ae09d849c58dbbb6d25244a3b86ef29542da2ae36145","paytable":"37142e5f4c8670c9194eabd8f89dafe135e82e4fd85b9cec092a1b4cb487c59b","rounds":"T1:2","version":"4087d0a6ddd8ba949a234a49176d5483e2cdd128e9c2713882f806372c3666c5"}}	{"at":1800000011000000,"kind":"Contributed","link":"L1","overflow":{},"paytable":"37142e5f4c8670c9194eabd8f89dafe135e82e4fd85b9cec092a1b4cb487c59b","rounds":{"T1":"2"},"to_house":4970000,"to_meter":{"jackpot":1680000},"to_reserve":{"jackpot":350000},"version":"4087d0a6ddd8ba949a234a49176d5483e2cdd128e9c2713882f806372c3666c5","wager":1000000,"wagers":{"T1":7}}	2026-11-15 04:58:46.928893+00
L1	26	2af05494b55d8df82edbc21b507b87ec375c4011bbfd69e767cffbf2dc9f801d	181457588dc37d21f7499ec3c0ec09a91058f0b806a4664898187ceda23ff55f	1800000012000000	Claimed	{"at":1800000012000000,"kind":"Claimed","link":"L1","number":26,"postings":[],"previous":"2af05494b55d8df82edbc21b507b87ec375c4011bbfd69e767cffbf2dc9f801d","references":{"award":"A3","fact":"4d914d5c9969ee6781dbb212f3fe1dc36085c4638e47eb8bc201442d8ae6323a","round":"2","table":"T1"}}	{"at":1800000012000000,"award":"A3","by":"dana","hand":"four_aces","kind":"Claimed","link":"L1","round":2,"seat":3,"table":"T1"}	2026-11-15 04:58:46.984716+00
\.


--
-- Data for Name: entry_2026_12; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.entry_2026_12 (link, number, previous, hash, at, kind, body, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: entry_2027_01; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.entry_2027_01 (link, number, previous, hash, at, kind, body, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: entry_2027_02; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.entry_2027_02 (link, number, previous, hash, at, kind, body, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: entry_2027_03; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.entry_2027_03 (link, number, previous, hash, at, kind, body, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: entry_2027_04; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.entry_2027_04 (link, number, previous, hash, at, kind, body, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: entry_2027_05; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.entry_2027_05 (link, number, previous, hash, at, kind, body, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: entry_2027_06; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.entry_2027_06 (link, number, previous, hash, at, kind, body, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: entry_2027_07; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.entry_2027_07 (link, number, previous, hash, at, kind, body, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: entry_2027_08; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.entry_2027_08 (link, number, previous, hash, at, kind, body, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: entry_2027_09; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.entry_2027_09 (link, number, previous, hash, at, kind, body, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: entry_2027_10; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.entry_2027_10 (link, number, previous, hash, at, kind, body, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: entry_2027_11; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.entry_2027_11 (link, number, previous, hash, at, kind, body, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: entry_other; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.entry_other (link, number, previous, hash, at, kind, body, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: floor; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.floor (number, fingerprint, body, registered_by, approved_by, registered_at) FROM stdin;
1	81d4ef7edac0d460d765cfc98d6e03ffa0c43b67dc76b3042e0f1cc07d92952d	# A card room in Washington: the fifteen tables that the law allows, on four links.\nsite = "Evergreen Card Room"\nlocation = "evergreen"\njurisdiction = "wa_cardroom"\ndisputes = "Ask the supervisor; who is not content may write to the regulator within the week."\n\n[gambling_day]\ntime_zone = "America/Los_Angeles"\nstarts_at_hour = 6\n\n# Six blackjack tables under two names share Blazing 7's: same paytable, same number of decks.\n[[table]]\nid = "B1"\ngame = "blackjack"\nknown_as = "House Money"\nseats = 7\nentry = "sensors"\nsensors = 1\nmanufacturer = "Light & Wonder"\noptions = { decks = 6 }\nhighest_wager = "300.00"\nside_bets = { house_money = "25.00" }\npaytables = { house_money = "1" }\n\n[[table]]\nid = "B2"\ngame = "blackjack"\nknown_as = "House Money"\nseats = 7\nentry = "sensors"\nsensors = 1\nmanufacturer = "Light & Wonder"\noptions = { decks = 6 }\nhighest_wager = "300.00"\nside_bets = { house_money = "25.00" }\npaytables = { house_money = "1" }\n\n[[table]]\nid = "B3"\ngame = "blackjack"\nknown_as = "House Money"\nseats = 7\nentry = "sensors"\nsensors = 1\nmanufacturer = "Light & Wonder"\noptions = { decks = 6 }\nhighest_wager = "300.00"\nside_bets = { house_money = "25.00" }\npaytables = { house_money = "1" }\n\n[[table]]\nid = "B4"\ngame = "blackjack"\nknown_as = "Free Bet Blackjack"\nseats = 7\nentry = "sensors"\nsensors = 1\nmanufacturer = "Light & Wonder"\noptions = { decks = 6 }\nhighest_wager = "300.00"\n\n[[table]]\nid = "B5"\ngame = "blackjack"\nknown_as = "Free Bet Blackjack"\nseats = 7\nentry = "sensors"\nsensors = 1\nmanufacturer = "Light & Wonder"\noptions = { decks = 6 }\nhighest_wager = "300.00"\n\n[[table]]\nid = "B6"\ngame = "blackjack"\nknown_as = "Free Bet Blackjack"\nseats = 7\nentry = "sensors"\nsensors = 1\nmanufacturer = "Light & Wonder"\noptions = { decks = 6 }\nhighest_wager = "300.00"\n\n# Three poker games share the five-card link: all five cards of each player, or hole cards and flop.\n[[table]]\nid = "C1"\ngame = "crazy_4"\nseats = 7\nentry = "sensors"\nsensors = 1\nmanufacturer = "Light & Wonder"\nhighest_wager = "300.00"\nside_bets = { queens_up = "25.00", bad_beat = "5.00" }\npaytables = { super_bonus = "C4P-09", queens_up = "C4P-09", bad_beat = "BBB-01" }\n\n[[table]]\nid = "C2"\ngame = "crazy_4"\nseats = 7\nentry = "sensors"\nsensors = 1\nmanufacturer = "Light & Wonder"\nhighest_wager = "300.00"\nside_bets = { queens_up = "25.00", bad_beat = "5.00" }\npaytables = { super_bonus = "C4P-09", queens_up = "C4P-09", bad_beat = "BBB-01" }\n\n[[table]]\nid = "C3"\ngame = "crazy_4"\nseats = 7\nentry = "sensors"\nsensors = 1\nmanufacturer = "Light & Wonder"\nhighest_wager = "300.00"\nside_bets = { queens_up = "25.00", bad_beat = "5.00" }\npaytables = { super_bonus = "C4P-09", queens_up = "C4P-09", bad_beat = "BBB-01" }\n\n[[table]]\nid = "H1"\ngame = "holdem_bonus"\nseats = 7\nentry = "sensors"\nsensors = 1\nmanufacturer = "Light & Wonder"\nhighest_wager = "300.00"\nside_bets = { bonus = "25.00" }\npaytables = { bonus = "1" }\n\n[[table]]\nid = "H2"\ngame = "holdem_bonus"\nseats = 7\nentry = "sensors"\nsensors = 1\nmanufacturer = "Light & Wonder"\nhighest_wager = "300.00"\nside_bets = { bonus = "25.00" }\npaytables = { bonus = "1" }\n\n[[table]]\nid = "H3"\ngame = "holdem_bonus"\nseats = 7\nentry = "sensors"\nsensors = 1\nmanufacturer = "Light & Wonder"\nhighest_wager = "300.00"\nside_bets = { bonus = "25.00" }\npaytables = { bonus = "1" }\n\n[[table]]\nid = "S1"\ngame = "six_five_four"\nseats = 7\nentry = "sensors"\nsensors = 1\nmanufacturer = "Light & Wonder"\nhighest_wager = "300.00"\nside_bets = { queens_up = "25.00" }\npaytables = { ante_bonus = "1", queens_up = "1" }\n\n# Two baccarat tables, each with a Dragon of its own: it is never linked.\n[[table]]\nid = "M1"\ngame = "mini_baccarat"\nseats = 9\nentry = "sensors"\nsensors = 1\nmanufacturer = "Light & Wonder"\noptions = { decks = 8 }\nhighest_wager = "300.00"\nside_bets = { dragon_bonus = "50.00" }\npaytables = { dragon_bonus = "1" }\n\n[[table]]\nid = "M2"\ngame = "mini_baccarat"\nseats = 9\nentry = "sensors"\nsensors = 1\nmanufacturer = "Light & Wonder"\noptions = { decks = 8 }\nhighest_wager = "300.00"\nside_bets = { dragon_bonus = "50.00" }\npaytables = { dragon_bonus = "1" }\n\n[[link]]\nid = "sevens"\nkind = "progressive"\njackpot = "blazing_7s"\nvariant = "dealer_up_card"\npaytable = "ML03"\nwager = "1.00"\ntables = ["B1", "B2", "B3", "B4", "B5", "B6"]\nmanufacturer = "Light & Wonder"\ncontrols = "nexus"\nlock_at = "claim"\nexecutive_above = "5000.00"\nexecutive_levels = ["mega"]\ncut_off = "stop"\n\n[[link.meter]]\nlevel = "mega"\nseed = "2000.00"\ncontribution = "10%"\nreserve = "1%"\n\n[[link.meter]]\nlevel = "major"\nseed = "1000.00"\ncontribution = "8%"\nreserve = "0%"\n\n[[link.meter]]\nlevel = "minor"\nseed = "500.00"\ncontribution = "6%"\nreserve = "0%"\n\n[[link]]\nid = "five-card"\nkind = "progressive"\njackpot = "five_card"\npaytable = "ML03"\nwager = "1.00"\ntables = ["C1", "C2", "C3", "H1", "H2", "H3", "S1"]\nmanufacturer = "Light & Wonder"\ncontrols = "nexus"\nlock_at = "claim"\nexecutive_above = "5000.00"\nexecutive_levels = ["mega"]\ncut_off = "stop"\noptions = { folded_hands_qualify = true, several_winners = "seat_order" }\n\n[[link.meter]]\nlevel = "mega"\nseed = "10000.00"\ncontribution = "8%"\nreserve = "1%"\n\n[[link.meter]]\nlevel = "major"\nseed = "1500.00"\ncontribution = "6%"\nreserve = "1%"\n\n[[link.meter]]\nlevel = "minor"\nseed = "400.00"\ncontribution = "6%"\nreserve = "1%"\n\n[[link]]\nid = "dragon-1"\nkind = "progressive"\njackpot = "dragon"\npaytable = "3"\nwager = "1.00"\ntables = ["M1"]\nmanufacturer = "Light & Wonder"\ncontrols = "nexus"\nlock_at = "claim"\nexecutive_above = "5000.00"\ncut_off = "stop"\n\n[[link.meter]]\nlevel = "jackpot"\nseed = "5000.00"\ncontribution = "25%"\nreserve = "1%"\n\n[[link]]\nid = "dragon-2"\nkind = "progressive"\njackpot = "dragon"\npaytable = "3"\nwager = "1.00"\ntables = ["M2"]\nmanufacturer = "Light & Wonder"\ncontrols = "nexus"\nlock_at = "claim"\nexecutive_above = "5000.00"\ncut_off = "stop"\n\n[[link.meter]]\nlevel = "jackpot"\nseed = "5000.00"\ncontribution = "25%"\nreserve = "1%"\n\n# Badges. Nobody brings together what must stay apart: `feltwork check` says which.\n[[person]]\nid = "dana"\nroles = ["dealer"]\n\n[[person]]\nid = "sam"\nroles = ["supervisor"]\n\n[[person]]\nid = "eve"\nroles = ["executive"]\n\n[[person]]\nid = "ann"\nroles = ["accounting"]\n\n[[person]]\nid = "vic"\nroles = ["surveillance"]\n\n[[person]]\nid = "ivo"\nroles = ["it"]\n	ann	bob	2026-11-15 04:58:45.981113+00
\.


--
-- Data for Name: idempotency; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.idempotency (key, body_hash, answer, asked_at) FROM stdin;
\.


--
-- Data for Name: lawful; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.lawful (kind, account_kind, gives, gets) FROM stdin;
Adjusted.CAP_CORRECTION	meter	t	f
Adjusted.CAP_CORRECTION	reserve	f	t
Adjusted.HOUSE_ADDITION	house_pays	t	f
Adjusted.HOUSE_ADDITION	meter	f	t
Adjusted.HOUSE_ADDITION	reserve	f	t
Adjusted.MALFUNCTION_CORRECTION	correction	t	t
Adjusted.MALFUNCTION_CORRECTION	meter	t	t
Adjusted.MALFUNCTION_CORRECTION	reserve	t	t
Adjusted.MERCHANDISE	merchandise	f	t
Adjusted.MERCHANDISE	reserve	t	f
Adjusted.NON_DISPLAYED_TO_GROSS_RECEIPTS	gross_receipts	f	t
Adjusted.NON_DISPLAYED_TO_GROSS_RECEIPTS	reserve	t	f
Adjusted.SEED_RECOVERY	meter	t	f
Adjusted.SEED_RECOVERY	reserve	t	f
Adjusted.SEED_RECOVERY	seed_advanced	f	t
Confirmed	payable	f	t
Confirmed	pending	t	f
Contributed	drop	f	t
Contributed	meter	f	t
Contributed	patrons	t	f
Contributed	reserve	f	t
Locked	house_pays	t	f
Locked	meter	t	t
Locked	pending	f	t
Locked	reserve	t	f
Locked	seed_advanced	t	f
Misdealt	drop	t	f
Misdealt	meter	t	f
Misdealt	patrons	f	t
Misdealt	reserve	t	f
Opened	meter	f	t
Opened	seed_advanced	t	f
Paid	patrons	f	t
Paid	payable	t	f
PaidFromTray	patrons	f	t
PaidFromTray	tray	t	f
Received	clearing	t	f
Received	meter	f	t
Received	reserve	f	t
Released	house_pays	f	t
Released	meter	t	t
Released	pending	t	f
Released	reserve	f	t
Released	seed_advanced	f	t
Removed	clearing	f	t
Removed	meter	t	f
Removed	reserve	t	f
Reversed	house_pays	f	t
Reversed	meter	t	t
Reversed	patrons	t	f
Reversed	payable	t	f
Reversed	reserve	f	t
Reversed	seed_advanced	f	t
\.


--
-- Data for Name: link; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.link (id, kind, registered_at) FROM stdin;
L1	progressive	2026-11-15 04:58:46.020981+00
L2	progressive	2026-11-15 04:58:46.664588+00
H1	house	2026-11-15 04:58:46.828658+00
\.


--
-- Data for Name: numbered; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.numbered (table_id, booked) FROM stdin;
B2	{[1,6)}
B3	{[1,6)}
B4	{[1,6)}
B1	{[1,6),[8,9)}
T2	{[1,2)}
T7	{[1,2)}
T8	{[1,2)}
T1	{[1,3)}
\.


--
-- Data for Name: once; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.once (link, what, name, number, kind) FROM stdin;
L1	opening		1	Opened
L1	claim	A1	9	Claimed
L1	settlement	A1	11	Confirmed
L1	payment	A1	12	Paid
L1	claim	A2	15	Claimed
L1	settlement	A2	17	Confirmed
L1	reversal	A2	18	Reversed
L1	adjustment	R1	18	Reversed
L1	adjustment	J1	20	Adjusted.MALFUNCTION_CORRECTION
L2	opening		1	Opened
L2	misdeal	T8/1	5	Misdealt
H1	claim	HA1	2	Claimed
H1	settlement	HA1	4	Confirmed
H1	payment	HA1	5	Paid
L1	claim	A3	26	Claimed
\.


--
-- Data for Name: parked; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.parked (link, table_id, number, round, problem, parked_at) FROM stdin;
\.


--
-- Data for Name: partitioned; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.partitioned (name) FROM stdin;
entry
round
round_end
table_fact
audit
\.


--
-- Data for Name: person; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.person (id, name, role, badge, pin_hash, password_hash, failed_tries, locked_until, active, registered_at) FROM stdin;
ann	ann	accounting	B-ann	$argon2id$v=19$m=65536,t=3,p=4$RnXOhAwvWv7L0xmWh1hbuw$yFo2HNae3y04Ak5irNGxugaK+yp/aAZb+vR16tM3ONk	\N	0	\N	t	2026-11-15 04:58:44.989832+00
eve	eve	executive	B-eve	$argon2id$v=19$m=65536,t=3,p=4$rSdSThwrT/5wbrSsiA1kCQ$7yuh5sFnsqnT3CTPoXXlrp1hOefHICBBrtL/VtQNodY	\N	0	\N	t	2026-11-15 04:58:45.974262+00
\.


--
-- Data for Name: proposal; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.proposal (id, command, about, body, fingerprint, proposed_by, proposed_at, lapses_at) FROM stdin;
\.


--
-- Data for Name: round_2026_11; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_2026_11 (table_id, number, link, started_at, wager, seats, entry, booked_at) FROM stdin;
B4	1	L1	1	1000000	{1,2,3}	2	2026-11-15 04:58:46.128933+00
B3	1	L1	1	1000000	{1,2,3}	2	2026-11-15 04:58:46.128933+00
B2	1	L1	1	1000000	{1,2,3}	2	2026-11-15 04:58:46.128933+00
B1	1	L1	1	1000000	{1,2,3}	2	2026-11-15 04:58:46.128933+00
B4	2	L1	2	1000000	{1,2,3}	3	2026-11-15 04:58:46.161712+00
B3	2	L1	2	1000000	{1,2,3}	3	2026-11-15 04:58:46.161712+00
B2	2	L1	2	1000000	{1,2,3}	3	2026-11-15 04:58:46.161712+00
B1	2	L1	2	1000000	{1,2,3}	3	2026-11-15 04:58:46.161712+00
B4	3	L1	3	1000000	{1,2,3}	4	2026-11-15 04:58:46.172193+00
B3	3	L1	3	1000000	{1,2,3}	4	2026-11-15 04:58:46.172193+00
B2	3	L1	3	1000000	{1,2,3}	4	2026-11-15 04:58:46.172193+00
B1	3	L1	3	1000000	{1,2,3}	4	2026-11-15 04:58:46.172193+00
B4	4	L1	4	1000000	{1,2,3}	5	2026-11-15 04:58:46.205097+00
B3	4	L1	4	1000000	{1,2,3}	5	2026-11-15 04:58:46.205097+00
B2	4	L1	4	1000000	{1,2,3}	5	2026-11-15 04:58:46.205097+00
B1	4	L1	4	1000000	{1,2,3}	5	2026-11-15 04:58:46.205097+00
B4	5	L1	5	1000000	{1,2,3}	6	2026-11-15 04:58:46.220714+00
B3	5	L1	5	1000000	{1,2,3}	6	2026-11-15 04:58:46.220714+00
B2	5	L1	5	1000000	{1,2,3}	6	2026-11-15 04:58:46.220714+00
B1	5	L1	5	1000000	{1,2,3}	6	2026-11-15 04:58:46.220714+00
B1	8	L1	9	1000000	{5}	7	2026-11-15 04:58:46.23975+00
T1	1	L1	1800000002000000	1000000	{1,2,3,4,5,6,7}	8	2026-11-15 04:58:46.261852+00
T2	1	L1	1800000007000000	1000000	{1,2,3,4,5,6,7}	14	2026-11-15 04:58:46.409168+00
T7	1	L2	1800000002000000	1000000	{1,2,3}	2	2026-11-15 04:58:46.689409+00
T8	1	L2	1800000005000000	1000000	{1,4}	4	2026-11-15 04:58:46.771762+00
T1	2	L1	1800000011000000	1000000	{1,2,3,4,5,6,7}	25	2026-11-15 04:58:46.927879+00
\.


--
-- Data for Name: round_2026_12; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_2026_12 (table_id, number, link, started_at, wager, seats, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_2027_01; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_2027_01 (table_id, number, link, started_at, wager, seats, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_2027_02; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_2027_02 (table_id, number, link, started_at, wager, seats, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_2027_03; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_2027_03 (table_id, number, link, started_at, wager, seats, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_2027_04; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_2027_04 (table_id, number, link, started_at, wager, seats, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_2027_05; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_2027_05 (table_id, number, link, started_at, wager, seats, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_2027_06; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_2027_06 (table_id, number, link, started_at, wager, seats, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_2027_07; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_2027_07 (table_id, number, link, started_at, wager, seats, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_2027_08; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_2027_08 (table_id, number, link, started_at, wager, seats, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_2027_09; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_2027_09 (table_id, number, link, started_at, wager, seats, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_2027_10; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_2027_10 (table_id, number, link, started_at, wager, seats, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_2027_11; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_2027_11 (table_id, number, link, started_at, wager, seats, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_end_2026_11; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_end_2026_11 (table_id, number, link, ended_at, fixed, envy, entry, booked_at) FROM stdin;
T1	1	L1	1800000006000000	0	600000000	13	2026-11-15 04:58:46.383434+00
T2	1	L1	1800000010000000	0	600000000	19	2026-11-15 04:58:46.501729+00
T7	1	L2	1800000004000000	40000000	0	3	2026-11-15 04:58:46.753723+00
\.


--
-- Data for Name: round_end_2026_12; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_end_2026_12 (table_id, number, link, ended_at, fixed, envy, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_end_2027_01; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_end_2027_01 (table_id, number, link, ended_at, fixed, envy, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_end_2027_02; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_end_2027_02 (table_id, number, link, ended_at, fixed, envy, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_end_2027_03; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_end_2027_03 (table_id, number, link, ended_at, fixed, envy, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_end_2027_04; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_end_2027_04 (table_id, number, link, ended_at, fixed, envy, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_end_2027_05; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_end_2027_05 (table_id, number, link, ended_at, fixed, envy, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_end_2027_06; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_end_2027_06 (table_id, number, link, ended_at, fixed, envy, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_end_2027_07; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_end_2027_07 (table_id, number, link, ended_at, fixed, envy, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_end_2027_08; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_end_2027_08 (table_id, number, link, ended_at, fixed, envy, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_end_2027_09; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_end_2027_09 (table_id, number, link, ended_at, fixed, envy, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_end_2027_10; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_end_2027_10 (table_id, number, link, ended_at, fixed, envy, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_end_2027_11; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_end_2027_11 (table_id, number, link, ended_at, fixed, envy, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_end_other; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_end_other (table_id, number, link, ended_at, fixed, envy, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: round_other; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.round_other (table_id, number, link, started_at, wager, seats, entry, booked_at) FROM stdin;
\.


--
-- Data for Name: session; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.session (token_hash, person, place, began_at, ends_at, ended_at) FROM stdin;
\.


--
-- Data for Name: standing; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.standing (link, number, version, state) FROM stdin;
L2	5	f6bdb699babd7e3b7810e5a031646ff65bc2201851c03a3386b6ee114dced8a0	{"caps": {}, "hits": [], "life": "open", "locks": 0, "stops": {}, "target": "", "counters": {"jackpot": {"won": 0, "hits": 0, "paid": 0, "wagers": 5, "accrued": 1200000, "wagered": 5000000, "overflow": 0, "reserved": 250000, "returned": 580000, "reversed": 0}}, "remove_at": 0, "removed_at": 0, "funds_at_count": 0}
H1	5	H1	{"amount": 500000000}
L1	26	4087d0a6ddd8ba949a234a49176d5483e2cdd128e9c2713882f806372c3666c5	{"caps": {}, "hits": ["A1", "A2"], "life": "open", "locks": 2, "stops": {}, "target": "", "counters": {"jackpot": {"won": 20021400000, "hits": 2, "paid": 10016320000, "wagers": 82, "accrued": 19680000, "wagered": 82000000, "overflow": 0, "reserved": 4100000, "returned": 0, "reversed": 10005080000}}, "remove_at": 0, "removed_at": 0, "funds_at_count": 10005480000}
\.


--
-- Data for Name: table_fact_2026_11; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.table_fact_2026_11 (id, link, table_id, number, at, kind, fact, booked_at) FROM stdin;
1	L1	T1	1	1800000003000000	HandPressed	{"at": 1800000003000000, "by": "dana", "hand": "four_aces", "kind": "HandPressed", "link": "L1", "seat": 2, "round": 1, "table": "T1"}	2026-11-15 04:58:46.309036+00
2	L1	T2	1	1800000008000000	HandPressed	{"at": 1800000008000000, "by": "dana", "hand": "four_aces", "kind": "HandPressed", "link": "L1", "seat": 4, "round": 1, "table": "T2"}	2026-11-15 04:58:46.436828+00
3	L2	T7	1	1800000003000000	HandPressed	{"at": 1800000003000000, "by": "dana", "hand": "flush", "kind": "HandPressed", "link": "L2", "seat": 2, "round": 1, "table": "T7"}	2026-11-15 04:58:46.718281+00
4	L2	T8	1	1800000006000000	RoundVoided	{"at": 1800000006000000, "by": "sam", "kind": "RoundVoided", "link": "L2", "round": 1, "table": "T8", "reason": "a card short"}	2026-11-15 04:58:46.814891+00
5	L1	T1	2	1800000012000000	HandPressed	{"at": 1800000012000000, "by": "dana", "hand": "four_aces", "kind": "HandPressed", "link": "L1", "seat": 3, "round": 2, "table": "T1"}	2026-11-15 04:58:47.004537+00
\.


--
-- Data for Name: table_fact_2026_12; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.table_fact_2026_12 (id, link, table_id, number, at, kind, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: table_fact_2027_01; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.table_fact_2027_01 (id, link, table_id, number, at, kind, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: table_fact_2027_02; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.table_fact_2027_02 (id, link, table_id, number, at, kind, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: table_fact_2027_03; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.table_fact_2027_03 (id, link, table_id, number, at, kind, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: table_fact_2027_04; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.table_fact_2027_04 (id, link, table_id, number, at, kind, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: table_fact_2027_05; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.table_fact_2027_05 (id, link, table_id, number, at, kind, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: table_fact_2027_06; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.table_fact_2027_06 (id, link, table_id, number, at, kind, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: table_fact_2027_07; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.table_fact_2027_07 (id, link, table_id, number, at, kind, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: table_fact_2027_08; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.table_fact_2027_08 (id, link, table_id, number, at, kind, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: table_fact_2027_09; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.table_fact_2027_09 (id, link, table_id, number, at, kind, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: table_fact_2027_10; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.table_fact_2027_10 (id, link, table_id, number, at, kind, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: table_fact_2027_11; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.table_fact_2027_11 (id, link, table_id, number, at, kind, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: table_fact_other; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.table_fact_other (id, link, table_id, number, at, kind, fact, booked_at) FROM stdin;
\.


--
-- Data for Name: table_round; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.table_round (table_id, link, number, state) FROM stdin;
T1	L1	2	{"hands": {"3": "four_aces"}, "phase": "claimed", "number": 2, "players": [1, 2, 3, 4, 5, 6, 7], "started": {"at": 1800000011000000, "kind": "RoundStarted", "link": "L1", "round": 2, "seats": [1, 2, 3, 4, 5, 6, 7], "table": "T1", "wager": 1000000}, "version": "4087d0a6ddd8ba949a234a49176d5483e2cdd128e9c2713882f806372c3666c5", "confirmed": []}
T2	L1	1	{"hands": {"4": "four_aces"}, "phase": "idle", "number": 1, "players": [1, 2, 3, 4, 5, 6, 7], "started": {"at": 1800000007000000, "kind": "RoundStarted", "link": "L1", "round": 1, "seats": [1, 2, 3, 4, 5, 6, 7], "table": "T2", "wager": 1000000}, "version": "07d60e620a2e6c29dd6f0d362fed10b5d36cb6ba30aa83779dcf858e027eb418", "confirmed": [4]}
T7	L2	1	{"hands": {"2": "flush"}, "phase": "idle", "number": 1, "players": [1, 2, 3, 4, 5, 6, 7], "started": {"at": 1800000002000000, "kind": "RoundStarted", "link": "L2", "round": 1, "seats": [1, 2, 3], "table": "T7", "wager": 1000000}, "version": "f6bdb699babd7e3b7810e5a031646ff65bc2201851c03a3386b6ee114dced8a0", "confirmed": []}
T8	L2	1	{"hands": {}, "phase": "idle", "number": 1, "players": [1, 2, 3, 4, 5, 6, 7], "started": {"at": 1800000005000000, "kind": "RoundStarted", "link": "L2", "round": 1, "seats": [1, 4], "table": "T8", "wager": 1000000}, "version": "f6bdb699babd7e3b7810e5a031646ff65bc2201851c03a3386b6ee114dced8a0", "confirmed": []}
\.


--
-- Data for Name: version; Type: TABLE DATA; Schema: books; Owner: feltwork_owner
--

COPY books.version (link, fingerprint, body, registered_by, registered_at) FROM stdin;
L1	07d60e620a2e6c29dd6f0d362fed10b5d36cb6ba30aa83779dcf858e027eb418	{"controls":"nexus","executive_above":1000000000,"executive_levels":[],"id":"L1","jackpot":"four_card","levels":[{"cap":-1,"contribution":2400,"name":"jackpot","reserve":500,"seed":10000000000,"unreasonable":100000000}],"lock_at":"confirm","options":{"envy_from":"any_player","fixed_pays_from":"tray","folded_hands_qualify":true,"several_winners":"seat_order"},"paytable":{"fingerprint":"37142e5f4c8670c9194eabd8f89dafe135e82e4fd85b9cec092a1b4cb487c59b","id":"3"},"variant":"","wager":1000000}	ann	2026-11-15 04:58:46.025302+00
L1	4087d0a6ddd8ba949a234a49176d5483e2cdd128e9c2713882f806372c3666c5	{"controls":"nexus","executive_above":5000000000,"executive_levels":[],"id":"L1","jackpot":"four_card","levels":[{"cap":-1,"contribution":2400,"name":"jackpot","reserve":500,"seed":10000000000,"unreasonable":100000000}],"lock_at":"confirm","options":{"envy_from":"any_player","fixed_pays_from":"tray","folded_hands_qualify":true,"several_winners":"seat_order"},"paytable":{"fingerprint":"37142e5f4c8670c9194eabd8f89dafe135e82e4fd85b9cec092a1b4cb487c59b","id":"3"},"variant":"","wager":1000000}	ann	2026-11-15 04:58:46.619616+00
L2	f6bdb699babd7e3b7810e5a031646ff65bc2201851c03a3386b6ee114dced8a0	{"controls":"nexus","executive_above":1000000000,"executive_levels":[],"id":"L2","jackpot":"five_card","levels":[{"cap":-1,"contribution":2400,"name":"jackpot","reserve":500,"seed":500000000,"unreasonable":100000000}],"lock_at":"confirm","options":{"envy_from":"any_player","fixed_pays_from":"tray","folded_hands_qualify":true,"several_winners":"seat_order"},"paytable":{"fingerprint":"2a82ec5eb95a3392ce4ecfe76b9ae245a87e6cfa093d30269372db133933c810","id":"01"},"variant":"","wager":1000000}	ann	2026-11-15 04:58:46.665048+00
H1	H1	{"disclosures":["This is a house jackpot: no player money funds it.","It may be removed without notice."],"executive_above":1000000000,"hand":"royal_flush","id":"H1"}	ann	2026-11-15 04:58:46.828981+00
\.


--
-- Data for Name: feltwork_schema; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.feltwork_schema (version_num) FROM stdin;
0006
\.


--
-- Name: audit_id_seq; Type: SEQUENCE SET; Schema: books; Owner: feltwork_owner
--

SELECT pg_catalog.setval('books.audit_id_seq', 3, true);


--
-- Name: award_place_seq; Type: SEQUENCE SET; Schema: books; Owner: feltwork_owner
--

SELECT pg_catalog.setval('books.award_place_seq', 10, true);


--
-- Name: floor_number_seq; Type: SEQUENCE SET; Schema: books; Owner: feltwork_owner
--

SELECT pg_catalog.setval('books.floor_number_seq', 1, true);


--
-- Name: table_fact_id_seq; Type: SEQUENCE SET; Schema: books; Owner: feltwork_owner
--

SELECT pg_catalog.setval('books.table_fact_id_seq', 5, true);


--
-- Name: approval approval_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.approval
    ADD CONSTRAINT approval_pkey PRIMARY KEY (proposal);


--
-- Name: award award_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.award
    ADD CONSTRAINT award_pkey PRIMARY KEY (link, id);


--
-- Name: balance balance_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.balance
    ADD CONSTRAINT balance_pkey PRIMARY KEY (link, account);


--
-- Name: chain_tail chain_tail_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.chain_tail
    ADD CONSTRAINT chain_tail_pkey PRIMARY KEY (link);


--
-- Name: ended ended_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.ended
    ADD CONSTRAINT ended_pkey PRIMARY KEY (table_id);


--
-- Name: entry entry_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry
    ADD CONSTRAINT entry_pkey PRIMARY KEY (link, number, booked_at);


--
-- Name: entry_2026_11 entry_2026_11_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry_2026_11
    ADD CONSTRAINT entry_2026_11_pkey PRIMARY KEY (link, number, booked_at);


--
-- Name: entry_2026_12 entry_2026_12_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry_2026_12
    ADD CONSTRAINT entry_2026_12_pkey PRIMARY KEY (link, number, booked_at);


--
-- Name: entry_2027_01 entry_2027_01_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry_2027_01
    ADD CONSTRAINT entry_2027_01_pkey PRIMARY KEY (link, number, booked_at);


--
-- Name: entry_2027_02 entry_2027_02_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry_2027_02
    ADD CONSTRAINT entry_2027_02_pkey PRIMARY KEY (link, number, booked_at);


--
-- Name: entry_2027_03 entry_2027_03_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry_2027_03
    ADD CONSTRAINT entry_2027_03_pkey PRIMARY KEY (link, number, booked_at);


--
-- Name: entry_2027_04 entry_2027_04_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry_2027_04
    ADD CONSTRAINT entry_2027_04_pkey PRIMARY KEY (link, number, booked_at);


--
-- Name: entry_2027_05 entry_2027_05_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry_2027_05
    ADD CONSTRAINT entry_2027_05_pkey PRIMARY KEY (link, number, booked_at);


--
-- Name: entry_2027_06 entry_2027_06_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry_2027_06
    ADD CONSTRAINT entry_2027_06_pkey PRIMARY KEY (link, number, booked_at);


--
-- Name: entry_2027_07 entry_2027_07_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry_2027_07
    ADD CONSTRAINT entry_2027_07_pkey PRIMARY KEY (link, number, booked_at);


--
-- Name: entry_2027_08 entry_2027_08_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry_2027_08
    ADD CONSTRAINT entry_2027_08_pkey PRIMARY KEY (link, number, booked_at);


--
-- Name: entry_2027_09 entry_2027_09_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry_2027_09
    ADD CONSTRAINT entry_2027_09_pkey PRIMARY KEY (link, number, booked_at);


--
-- Name: entry_2027_10 entry_2027_10_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry_2027_10
    ADD CONSTRAINT entry_2027_10_pkey PRIMARY KEY (link, number, booked_at);


--
-- Name: entry_2027_11 entry_2027_11_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry_2027_11
    ADD CONSTRAINT entry_2027_11_pkey PRIMARY KEY (link, number, booked_at);


--
-- Name: entry_other entry_other_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.entry_other
    ADD CONSTRAINT entry_other_pkey PRIMARY KEY (link, number, booked_at);


--
-- Name: floor floor_fingerprint_key; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.floor
    ADD CONSTRAINT floor_fingerprint_key UNIQUE (fingerprint);


--
-- Name: floor floor_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.floor
    ADD CONSTRAINT floor_pkey PRIMARY KEY (number);


--
-- Name: idempotency idempotency_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.idempotency
    ADD CONSTRAINT idempotency_pkey PRIMARY KEY (key);


--
-- Name: lawful lawful_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.lawful
    ADD CONSTRAINT lawful_pkey PRIMARY KEY (kind, account_kind);


--
-- Name: link link_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.link
    ADD CONSTRAINT link_pkey PRIMARY KEY (id);


--
-- Name: numbered numbered_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.numbered
    ADD CONSTRAINT numbered_pkey PRIMARY KEY (table_id);


--
-- Name: once once_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.once
    ADD CONSTRAINT once_pkey PRIMARY KEY (link, what, name);


--
-- Name: parked parked_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.parked
    ADD CONSTRAINT parked_pkey PRIMARY KEY (link, table_id, number);


--
-- Name: partitioned partitioned_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.partitioned
    ADD CONSTRAINT partitioned_pkey PRIMARY KEY (name);


--
-- Name: person person_badge_key; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.person
    ADD CONSTRAINT person_badge_key UNIQUE (badge);


--
-- Name: person person_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.person
    ADD CONSTRAINT person_pkey PRIMARY KEY (id);


--
-- Name: proposal proposal_fingerprint_key; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.proposal
    ADD CONSTRAINT proposal_fingerprint_key UNIQUE (fingerprint);


--
-- Name: proposal proposal_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.proposal
    ADD CONSTRAINT proposal_pkey PRIMARY KEY (id);


--
-- Name: session session_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (token_hash);


--
-- Name: standing standing_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.standing
    ADD CONSTRAINT standing_pkey PRIMARY KEY (link);


--
-- Name: table_round table_round_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.table_round
    ADD CONSTRAINT table_round_pkey PRIMARY KEY (table_id);


--
-- Name: version version_pkey; Type: CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.version
    ADD CONSTRAINT version_pkey PRIMARY KEY (link, fingerprint);


--
-- Name: feltwork_schema feltwork_schema_pkc; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.feltwork_schema
    ADD CONSTRAINT feltwork_schema_pkc PRIMARY KEY (version_num);


--
-- Name: audit_by_time; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX audit_by_time ON ONLY books.audit USING btree (booked_at);


--
-- Name: audit_2026_11_booked_at_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX audit_2026_11_booked_at_idx ON books.audit_2026_11 USING btree (booked_at);


--
-- Name: audit_2026_12_booked_at_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX audit_2026_12_booked_at_idx ON books.audit_2026_12 USING btree (booked_at);


--
-- Name: audit_2027_01_booked_at_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX audit_2027_01_booked_at_idx ON books.audit_2027_01 USING btree (booked_at);


--
-- Name: audit_2027_02_booked_at_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX audit_2027_02_booked_at_idx ON books.audit_2027_02 USING btree (booked_at);


--
-- Name: audit_2027_03_booked_at_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX audit_2027_03_booked_at_idx ON books.audit_2027_03 USING btree (booked_at);


--
-- Name: audit_2027_04_booked_at_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX audit_2027_04_booked_at_idx ON books.audit_2027_04 USING btree (booked_at);


--
-- Name: audit_2027_05_booked_at_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX audit_2027_05_booked_at_idx ON books.audit_2027_05 USING btree (booked_at);


--
-- Name: audit_2027_06_booked_at_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX audit_2027_06_booked_at_idx ON books.audit_2027_06 USING btree (booked_at);


--
-- Name: audit_2027_07_booked_at_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX audit_2027_07_booked_at_idx ON books.audit_2027_07 USING btree (booked_at);


--
-- Name: audit_2027_08_booked_at_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX audit_2027_08_booked_at_idx ON books.audit_2027_08 USING btree (booked_at);


--
-- Name: audit_2027_09_booked_at_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX audit_2027_09_booked_at_idx ON books.audit_2027_09 USING btree (booked_at);


--
-- Name: audit_2027_10_booked_at_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX audit_2027_10_booked_at_idx ON books.audit_2027_10 USING btree (booked_at);


--
-- Name: audit_2027_11_booked_at_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX audit_2027_11_booked_at_idx ON books.audit_2027_11 USING btree (booked_at);


--
-- Name: audit_other_booked_at_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX audit_other_booked_at_idx ON books.audit_other USING btree (booked_at);


--
-- Name: award_by_round; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX award_by_round ON books.award USING btree (table_id, round);


--
-- Name: award_once_a_seat; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE UNIQUE INDEX award_once_a_seat ON books.award USING btree (link, table_id, round, seat) WHERE (status = ANY (ARRAY['claimed'::text, 'confirmed'::text, 'paid'::text]));


--
-- Name: award_open; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX award_open ON books.award USING btree (link) WHERE (status = ANY (ARRAY['claimed'::text, 'confirmed'::text]));


--
-- Name: entry_by_award; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_by_award ON ONLY books.entry USING btree (link, ((((body)::jsonb -> 'references'::text) ->> 'award'::text))) WHERE (kind <> 'Contributed'::text);


--
-- Name: entry_2026_11_link_expr_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2026_11_link_expr_idx ON books.entry_2026_11 USING btree (link, ((((body)::jsonb -> 'references'::text) ->> 'award'::text))) WHERE (kind <> 'Contributed'::text);


--
-- Name: entry_by_kind; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_by_kind ON ONLY books.entry USING btree (link, kind, number);


--
-- Name: entry_2026_11_link_kind_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2026_11_link_kind_number_idx ON books.entry_2026_11 USING btree (link, kind, number);


--
-- Name: entry_2026_12_link_expr_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2026_12_link_expr_idx ON books.entry_2026_12 USING btree (link, ((((body)::jsonb -> 'references'::text) ->> 'award'::text))) WHERE (kind <> 'Contributed'::text);


--
-- Name: entry_2026_12_link_kind_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2026_12_link_kind_number_idx ON books.entry_2026_12 USING btree (link, kind, number);


--
-- Name: entry_2027_01_link_expr_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2027_01_link_expr_idx ON books.entry_2027_01 USING btree (link, ((((body)::jsonb -> 'references'::text) ->> 'award'::text))) WHERE (kind <> 'Contributed'::text);


--
-- Name: entry_2027_01_link_kind_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2027_01_link_kind_number_idx ON books.entry_2027_01 USING btree (link, kind, number);


--
-- Name: entry_2027_02_link_expr_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2027_02_link_expr_idx ON books.entry_2027_02 USING btree (link, ((((body)::jsonb -> 'references'::text) ->> 'award'::text))) WHERE (kind <> 'Contributed'::text);


--
-- Name: entry_2027_02_link_kind_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2027_02_link_kind_number_idx ON books.entry_2027_02 USING btree (link, kind, number);


--
-- Name: entry_2027_03_link_expr_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2027_03_link_expr_idx ON books.entry_2027_03 USING btree (link, ((((body)::jsonb -> 'references'::text) ->> 'award'::text))) WHERE (kind <> 'Contributed'::text);


--
-- Name: entry_2027_03_link_kind_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2027_03_link_kind_number_idx ON books.entry_2027_03 USING btree (link, kind, number);


--
-- Name: entry_2027_04_link_expr_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2027_04_link_expr_idx ON books.entry_2027_04 USING btree (link, ((((body)::jsonb -> 'references'::text) ->> 'award'::text))) WHERE (kind <> 'Contributed'::text);


--
-- Name: entry_2027_04_link_kind_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2027_04_link_kind_number_idx ON books.entry_2027_04 USING btree (link, kind, number);


--
-- Name: entry_2027_05_link_expr_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2027_05_link_expr_idx ON books.entry_2027_05 USING btree (link, ((((body)::jsonb -> 'references'::text) ->> 'award'::text))) WHERE (kind <> 'Contributed'::text);


--
-- Name: entry_2027_05_link_kind_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2027_05_link_kind_number_idx ON books.entry_2027_05 USING btree (link, kind, number);


--
-- Name: entry_2027_06_link_expr_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2027_06_link_expr_idx ON books.entry_2027_06 USING btree (link, ((((body)::jsonb -> 'references'::text) ->> 'award'::text))) WHERE (kind <> 'Contributed'::text);


--
-- Name: entry_2027_06_link_kind_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2027_06_link_kind_number_idx ON books.entry_2027_06 USING btree (link, kind, number);


--
-- Name: entry_2027_07_link_expr_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2027_07_link_expr_idx ON books.entry_2027_07 USING btree (link, ((((body)::jsonb -> 'references'::text) ->> 'award'::text))) WHERE (kind <> 'Contributed'::text);


--
-- Name: entry_2027_07_link_kind_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2027_07_link_kind_number_idx ON books.entry_2027_07 USING btree (link, kind, number);


--
-- Name: entry_2027_08_link_expr_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2027_08_link_expr_idx ON books.entry_2027_08 USING btree (link, ((((body)::jsonb -> 'references'::text) ->> 'award'::text))) WHERE (kind <> 'Contributed'::text);


--
-- Name: entry_2027_08_link_kind_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2027_08_link_kind_number_idx ON books.entry_2027_08 USING btree (link, kind, number);


--
-- Name: entry_2027_09_link_expr_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2027_09_link_expr_idx ON books.entry_2027_09 USING btree (link, ((((body)::jsonb -> 'references'::text) ->> 'award'::text))) WHERE (kind <> 'Contributed'::text);


--
-- Name: entry_2027_09_link_kind_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2027_09_link_kind_number_idx ON books.entry_2027_09 USING btree (link, kind, number);


--
-- Name: entry_2027_10_link_expr_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2027_10_link_expr_idx ON books.entry_2027_10 USING btree (link, ((((body)::jsonb -> 'references'::text) ->> 'award'::text))) WHERE (kind <> 'Contributed'::text);


--
-- Name: entry_2027_10_link_kind_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2027_10_link_kind_number_idx ON books.entry_2027_10 USING btree (link, kind, number);


--
-- Name: entry_2027_11_link_expr_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2027_11_link_expr_idx ON books.entry_2027_11 USING btree (link, ((((body)::jsonb -> 'references'::text) ->> 'award'::text))) WHERE (kind <> 'Contributed'::text);


--
-- Name: entry_2027_11_link_kind_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_2027_11_link_kind_number_idx ON books.entry_2027_11 USING btree (link, kind, number);


--
-- Name: entry_other_link_expr_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_other_link_expr_idx ON books.entry_other USING btree (link, ((((body)::jsonb -> 'references'::text) ->> 'award'::text))) WHERE (kind <> 'Contributed'::text);


--
-- Name: entry_other_link_kind_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX entry_other_link_kind_number_idx ON books.entry_other USING btree (link, kind, number);


--
-- Name: round_by_number; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_by_number ON ONLY books.round USING btree (table_id, number);


--
-- Name: round_2026_11_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_2026_11_table_id_number_idx ON books.round_2026_11 USING btree (table_id, number);


--
-- Name: round_2026_12_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_2026_12_table_id_number_idx ON books.round_2026_12 USING btree (table_id, number);


--
-- Name: round_2027_01_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_2027_01_table_id_number_idx ON books.round_2027_01 USING btree (table_id, number);


--
-- Name: round_2027_02_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_2027_02_table_id_number_idx ON books.round_2027_02 USING btree (table_id, number);


--
-- Name: round_2027_03_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_2027_03_table_id_number_idx ON books.round_2027_03 USING btree (table_id, number);


--
-- Name: round_2027_04_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_2027_04_table_id_number_idx ON books.round_2027_04 USING btree (table_id, number);


--
-- Name: round_2027_05_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_2027_05_table_id_number_idx ON books.round_2027_05 USING btree (table_id, number);


--
-- Name: round_2027_06_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_2027_06_table_id_number_idx ON books.round_2027_06 USING btree (table_id, number);


--
-- Name: round_2027_07_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_2027_07_table_id_number_idx ON books.round_2027_07 USING btree (table_id, number);


--
-- Name: round_2027_08_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_2027_08_table_id_number_idx ON books.round_2027_08 USING btree (table_id, number);


--
-- Name: round_2027_09_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_2027_09_table_id_number_idx ON books.round_2027_09 USING btree (table_id, number);


--
-- Name: round_2027_10_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_2027_10_table_id_number_idx ON books.round_2027_10 USING btree (table_id, number);


--
-- Name: round_2027_11_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_2027_11_table_id_number_idx ON books.round_2027_11 USING btree (table_id, number);


--
-- Name: round_end_by_number; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_end_by_number ON ONLY books.round_end USING btree (table_id, number);


--
-- Name: round_end_2026_11_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_end_2026_11_table_id_number_idx ON books.round_end_2026_11 USING btree (table_id, number);


--
-- Name: round_end_2026_12_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_end_2026_12_table_id_number_idx ON books.round_end_2026_12 USING btree (table_id, number);


--
-- Name: round_end_2027_01_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_end_2027_01_table_id_number_idx ON books.round_end_2027_01 USING btree (table_id, number);


--
-- Name: round_end_2027_02_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_end_2027_02_table_id_number_idx ON books.round_end_2027_02 USING btree (table_id, number);


--
-- Name: round_end_2027_03_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_end_2027_03_table_id_number_idx ON books.round_end_2027_03 USING btree (table_id, number);


--
-- Name: round_end_2027_04_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_end_2027_04_table_id_number_idx ON books.round_end_2027_04 USING btree (table_id, number);


--
-- Name: round_end_2027_05_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_end_2027_05_table_id_number_idx ON books.round_end_2027_05 USING btree (table_id, number);


--
-- Name: round_end_2027_06_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_end_2027_06_table_id_number_idx ON books.round_end_2027_06 USING btree (table_id, number);


--
-- Name: round_end_2027_07_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_end_2027_07_table_id_number_idx ON books.round_end_2027_07 USING btree (table_id, number);


--
-- Name: round_end_2027_08_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_end_2027_08_table_id_number_idx ON books.round_end_2027_08 USING btree (table_id, number);


--
-- Name: round_end_2027_09_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_end_2027_09_table_id_number_idx ON books.round_end_2027_09 USING btree (table_id, number);


--
-- Name: round_end_2027_10_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_end_2027_10_table_id_number_idx ON books.round_end_2027_10 USING btree (table_id, number);


--
-- Name: round_end_2027_11_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_end_2027_11_table_id_number_idx ON books.round_end_2027_11 USING btree (table_id, number);


--
-- Name: round_end_other_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_end_other_table_id_number_idx ON books.round_end_other USING btree (table_id, number);


--
-- Name: round_other_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX round_other_table_id_number_idx ON books.round_other USING btree (table_id, number);


--
-- Name: session_by_person; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX session_by_person ON books.session USING btree (person);


--
-- Name: table_fact_by_round; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX table_fact_by_round ON ONLY books.table_fact USING btree (table_id, number);


--
-- Name: table_fact_2026_11_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX table_fact_2026_11_table_id_number_idx ON books.table_fact_2026_11 USING btree (table_id, number);


--
-- Name: table_fact_2026_12_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX table_fact_2026_12_table_id_number_idx ON books.table_fact_2026_12 USING btree (table_id, number);


--
-- Name: table_fact_2027_01_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX table_fact_2027_01_table_id_number_idx ON books.table_fact_2027_01 USING btree (table_id, number);


--
-- Name: table_fact_2027_02_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX table_fact_2027_02_table_id_number_idx ON books.table_fact_2027_02 USING btree (table_id, number);


--
-- Name: table_fact_2027_03_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX table_fact_2027_03_table_id_number_idx ON books.table_fact_2027_03 USING btree (table_id, number);


--
-- Name: table_fact_2027_04_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX table_fact_2027_04_table_id_number_idx ON books.table_fact_2027_04 USING btree (table_id, number);


--
-- Name: table_fact_2027_05_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX table_fact_2027_05_table_id_number_idx ON books.table_fact_2027_05 USING btree (table_id, number);


--
-- Name: table_fact_2027_06_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX table_fact_2027_06_table_id_number_idx ON books.table_fact_2027_06 USING btree (table_id, number);


--
-- Name: table_fact_2027_07_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX table_fact_2027_07_table_id_number_idx ON books.table_fact_2027_07 USING btree (table_id, number);


--
-- Name: table_fact_2027_08_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX table_fact_2027_08_table_id_number_idx ON books.table_fact_2027_08 USING btree (table_id, number);


--
-- Name: table_fact_2027_09_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX table_fact_2027_09_table_id_number_idx ON books.table_fact_2027_09 USING btree (table_id, number);


--
-- Name: table_fact_2027_10_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX table_fact_2027_10_table_id_number_idx ON books.table_fact_2027_10 USING btree (table_id, number);


--
-- Name: table_fact_2027_11_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX table_fact_2027_11_table_id_number_idx ON books.table_fact_2027_11 USING btree (table_id, number);


--
-- Name: table_fact_other_table_id_number_idx; Type: INDEX; Schema: books; Owner: feltwork_owner
--

CREATE INDEX table_fact_other_table_id_number_idx ON books.table_fact_other USING btree (table_id, number);


--
-- Name: audit_2026_11_booked_at_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.audit_by_time ATTACH PARTITION books.audit_2026_11_booked_at_idx;


--
-- Name: audit_2026_12_booked_at_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.audit_by_time ATTACH PARTITION books.audit_2026_12_booked_at_idx;


--
-- Name: audit_2027_01_booked_at_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.audit_by_time ATTACH PARTITION books.audit_2027_01_booked_at_idx;


--
-- Name: audit_2027_02_booked_at_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.audit_by_time ATTACH PARTITION books.audit_2027_02_booked_at_idx;


--
-- Name: audit_2027_03_booked_at_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.audit_by_time ATTACH PARTITION books.audit_2027_03_booked_at_idx;


--
-- Name: audit_2027_04_booked_at_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.audit_by_time ATTACH PARTITION books.audit_2027_04_booked_at_idx;


--
-- Name: audit_2027_05_booked_at_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.audit_by_time ATTACH PARTITION books.audit_2027_05_booked_at_idx;


--
-- Name: audit_2027_06_booked_at_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.audit_by_time ATTACH PARTITION books.audit_2027_06_booked_at_idx;


--
-- Name: audit_2027_07_booked_at_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.audit_by_time ATTACH PARTITION books.audit_2027_07_booked_at_idx;


--
-- Name: audit_2027_08_booked_at_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.audit_by_time ATTACH PARTITION books.audit_2027_08_booked_at_idx;


--
-- Name: audit_2027_09_booked_at_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.audit_by_time ATTACH PARTITION books.audit_2027_09_booked_at_idx;


--
-- Name: audit_2027_10_booked_at_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.audit_by_time ATTACH PARTITION books.audit_2027_10_booked_at_idx;


--
-- Name: audit_2027_11_booked_at_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.audit_by_time ATTACH PARTITION books.audit_2027_11_booked_at_idx;


--
-- Name: audit_other_booked_at_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.audit_by_time ATTACH PARTITION books.audit_other_booked_at_idx;


--
-- Name: entry_2026_11_link_expr_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_award ATTACH PARTITION books.entry_2026_11_link_expr_idx;


--
-- Name: entry_2026_11_link_kind_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_kind ATTACH PARTITION books.entry_2026_11_link_kind_number_idx;


--
-- Name: entry_2026_11_pkey; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_pkey ATTACH PARTITION books.entry_2026_11_pkey;


--
-- Name: entry_2026_12_link_expr_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_award ATTACH PARTITION books.entry_2026_12_link_expr_idx;


--
-- Name: entry_2026_12_link_kind_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_kind ATTACH PARTITION books.entry_2026_12_link_kind_number_idx;


--
-- Name: entry_2026_12_pkey; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_pkey ATTACH PARTITION books.entry_2026_12_pkey;


--
-- Name: entry_2027_01_link_expr_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_award ATTACH PARTITION books.entry_2027_01_link_expr_idx;


--
-- Name: entry_2027_01_link_kind_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_kind ATTACH PARTITION books.entry_2027_01_link_kind_number_idx;


--
-- Name: entry_2027_01_pkey; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_pkey ATTACH PARTITION books.entry_2027_01_pkey;


--
-- Name: entry_2027_02_link_expr_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_award ATTACH PARTITION books.entry_2027_02_link_expr_idx;


--
-- Name: entry_2027_02_link_kind_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_kind ATTACH PARTITION books.entry_2027_02_link_kind_number_idx;


--
-- Name: entry_2027_02_pkey; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_pkey ATTACH PARTITION books.entry_2027_02_pkey;


--
-- Name: entry_2027_03_link_expr_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_award ATTACH PARTITION books.entry_2027_03_link_expr_idx;


--
-- Name: entry_2027_03_link_kind_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_kind ATTACH PARTITION books.entry_2027_03_link_kind_number_idx;


--
-- Name: entry_2027_03_pkey; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_pkey ATTACH PARTITION books.entry_2027_03_pkey;


--
-- Name: entry_2027_04_link_expr_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_award ATTACH PARTITION books.entry_2027_04_link_expr_idx;


--
-- Name: entry_2027_04_link_kind_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_kind ATTACH PARTITION books.entry_2027_04_link_kind_number_idx;


--
-- Name: entry_2027_04_pkey; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_pkey ATTACH PARTITION books.entry_2027_04_pkey;


--
-- Name: entry_2027_05_link_expr_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_award ATTACH PARTITION books.entry_2027_05_link_expr_idx;


--
-- Name: entry_2027_05_link_kind_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_kind ATTACH PARTITION books.entry_2027_05_link_kind_number_idx;


--
-- Name: entry_2027_05_pkey; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_pkey ATTACH PARTITION books.entry_2027_05_pkey;


--
-- Name: entry_2027_06_link_expr_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_award ATTACH PARTITION books.entry_2027_06_link_expr_idx;


--
-- Name: entry_2027_06_link_kind_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_kind ATTACH PARTITION books.entry_2027_06_link_kind_number_idx;


--
-- Name: entry_2027_06_pkey; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_pkey ATTACH PARTITION books.entry_2027_06_pkey;


--
-- Name: entry_2027_07_link_expr_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_award ATTACH PARTITION books.entry_2027_07_link_expr_idx;


--
-- Name: entry_2027_07_link_kind_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_kind ATTACH PARTITION books.entry_2027_07_link_kind_number_idx;


--
-- Name: entry_2027_07_pkey; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_pkey ATTACH PARTITION books.entry_2027_07_pkey;


--
-- Name: entry_2027_08_link_expr_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_award ATTACH PARTITION books.entry_2027_08_link_expr_idx;


--
-- Name: entry_2027_08_link_kind_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_kind ATTACH PARTITION books.entry_2027_08_link_kind_number_idx;


--
-- Name: entry_2027_08_pkey; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_pkey ATTACH PARTITION books.entry_2027_08_pkey;


--
-- Name: entry_2027_09_link_expr_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_award ATTACH PARTITION books.entry_2027_09_link_expr_idx;


--
-- Name: entry_2027_09_link_kind_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_kind ATTACH PARTITION books.entry_2027_09_link_kind_number_idx;


--
-- Name: entry_2027_09_pkey; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_pkey ATTACH PARTITION books.entry_2027_09_pkey;


--
-- Name: entry_2027_10_link_expr_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_award ATTACH PARTITION books.entry_2027_10_link_expr_idx;


--
-- Name: entry_2027_10_link_kind_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_kind ATTACH PARTITION books.entry_2027_10_link_kind_number_idx;


--
-- Name: entry_2027_10_pkey; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_pkey ATTACH PARTITION books.entry_2027_10_pkey;


--
-- Name: entry_2027_11_link_expr_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_award ATTACH PARTITION books.entry_2027_11_link_expr_idx;


--
-- Name: entry_2027_11_link_kind_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_kind ATTACH PARTITION books.entry_2027_11_link_kind_number_idx;


--
-- Name: entry_2027_11_pkey; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_pkey ATTACH PARTITION books.entry_2027_11_pkey;


--
-- Name: entry_other_link_expr_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_award ATTACH PARTITION books.entry_other_link_expr_idx;


--
-- Name: entry_other_link_kind_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_by_kind ATTACH PARTITION books.entry_other_link_kind_number_idx;


--
-- Name: entry_other_pkey; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.entry_pkey ATTACH PARTITION books.entry_other_pkey;


--
-- Name: round_2026_11_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_by_number ATTACH PARTITION books.round_2026_11_table_id_number_idx;


--
-- Name: round_2026_12_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_by_number ATTACH PARTITION books.round_2026_12_table_id_number_idx;


--
-- Name: round_2027_01_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_by_number ATTACH PARTITION books.round_2027_01_table_id_number_idx;


--
-- Name: round_2027_02_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_by_number ATTACH PARTITION books.round_2027_02_table_id_number_idx;


--
-- Name: round_2027_03_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_by_number ATTACH PARTITION books.round_2027_03_table_id_number_idx;


--
-- Name: round_2027_04_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_by_number ATTACH PARTITION books.round_2027_04_table_id_number_idx;


--
-- Name: round_2027_05_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_by_number ATTACH PARTITION books.round_2027_05_table_id_number_idx;


--
-- Name: round_2027_06_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_by_number ATTACH PARTITION books.round_2027_06_table_id_number_idx;


--
-- Name: round_2027_07_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_by_number ATTACH PARTITION books.round_2027_07_table_id_number_idx;


--
-- Name: round_2027_08_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_by_number ATTACH PARTITION books.round_2027_08_table_id_number_idx;


--
-- Name: round_2027_09_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_by_number ATTACH PARTITION books.round_2027_09_table_id_number_idx;


--
-- Name: round_2027_10_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_by_number ATTACH PARTITION books.round_2027_10_table_id_number_idx;


--
-- Name: round_2027_11_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_by_number ATTACH PARTITION books.round_2027_11_table_id_number_idx;


--
-- Name: round_end_2026_11_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_end_by_number ATTACH PARTITION books.round_end_2026_11_table_id_number_idx;


--
-- Name: round_end_2026_12_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_end_by_number ATTACH PARTITION books.round_end_2026_12_table_id_number_idx;


--
-- Name: round_end_2027_01_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_end_by_number ATTACH PARTITION books.round_end_2027_01_table_id_number_idx;


--
-- Name: round_end_2027_02_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_end_by_number ATTACH PARTITION books.round_end_2027_02_table_id_number_idx;


--
-- Name: round_end_2027_03_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_end_by_number ATTACH PARTITION books.round_end_2027_03_table_id_number_idx;


--
-- Name: round_end_2027_04_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_end_by_number ATTACH PARTITION books.round_end_2027_04_table_id_number_idx;


--
-- Name: round_end_2027_05_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_end_by_number ATTACH PARTITION books.round_end_2027_05_table_id_number_idx;


--
-- Name: round_end_2027_06_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_end_by_number ATTACH PARTITION books.round_end_2027_06_table_id_number_idx;


--
-- Name: round_end_2027_07_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_end_by_number ATTACH PARTITION books.round_end_2027_07_table_id_number_idx;


--
-- Name: round_end_2027_08_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_end_by_number ATTACH PARTITION books.round_end_2027_08_table_id_number_idx;


--
-- Name: round_end_2027_09_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_end_by_number ATTACH PARTITION books.round_end_2027_09_table_id_number_idx;


--
-- Name: round_end_2027_10_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_end_by_number ATTACH PARTITION books.round_end_2027_10_table_id_number_idx;


--
-- Name: round_end_2027_11_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_end_by_number ATTACH PARTITION books.round_end_2027_11_table_id_number_idx;


--
-- Name: round_end_other_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_end_by_number ATTACH PARTITION books.round_end_other_table_id_number_idx;


--
-- Name: round_other_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.round_by_number ATTACH PARTITION books.round_other_table_id_number_idx;


--
-- Name: table_fact_2026_11_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.table_fact_by_round ATTACH PARTITION books.table_fact_2026_11_table_id_number_idx;


--
-- Name: table_fact_2026_12_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.table_fact_by_round ATTACH PARTITION books.table_fact_2026_12_table_id_number_idx;


--
-- Name: table_fact_2027_01_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.table_fact_by_round ATTACH PARTITION books.table_fact_2027_01_table_id_number_idx;


--
-- Name: table_fact_2027_02_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.table_fact_by_round ATTACH PARTITION books.table_fact_2027_02_table_id_number_idx;


--
-- Name: table_fact_2027_03_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.table_fact_by_round ATTACH PARTITION books.table_fact_2027_03_table_id_number_idx;


--
-- Name: table_fact_2027_04_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.table_fact_by_round ATTACH PARTITION books.table_fact_2027_04_table_id_number_idx;


--
-- Name: table_fact_2027_05_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.table_fact_by_round ATTACH PARTITION books.table_fact_2027_05_table_id_number_idx;


--
-- Name: table_fact_2027_06_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.table_fact_by_round ATTACH PARTITION books.table_fact_2027_06_table_id_number_idx;


--
-- Name: table_fact_2027_07_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.table_fact_by_round ATTACH PARTITION books.table_fact_2027_07_table_id_number_idx;


--
-- Name: table_fact_2027_08_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.table_fact_by_round ATTACH PARTITION books.table_fact_2027_08_table_id_number_idx;


--
-- Name: table_fact_2027_09_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.table_fact_by_round ATTACH PARTITION books.table_fact_2027_09_table_id_number_idx;


--
-- Name: table_fact_2027_10_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.table_fact_by_round ATTACH PARTITION books.table_fact_2027_10_table_id_number_idx;


--
-- Name: table_fact_2027_11_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.table_fact_by_round ATTACH PARTITION books.table_fact_2027_11_table_id_number_idx;


--
-- Name: table_fact_other_table_id_number_idx; Type: INDEX ATTACH; Schema: books; Owner: feltwork_owner
--

ALTER INDEX books.table_fact_by_round ATTACH PARTITION books.table_fact_other_table_id_number_idx;


--
-- Name: entry append; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER append BEFORE INSERT ON books.entry FOR EACH ROW EXECUTE FUNCTION books.append();

ALTER TABLE books.entry ENABLE ALWAYS TRIGGER append;


--
-- Name: approval approve_other; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER approve_other BEFORE INSERT ON books.approval FOR EACH ROW EXECUTE FUNCTION books.approve_other();

ALTER TABLE books.approval ENABLE ALWAYS TRIGGER approve_other;


--
-- Name: chain_tail covered; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE CONSTRAINT TRIGGER covered AFTER UPDATE ON books.chain_tail DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.uncovered <> 0)) EXECUTE FUNCTION books.covered();


--
-- Name: round_end ended; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER ended AFTER INSERT ON books.round_end REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_ends();

ALTER TABLE books.round_end ENABLE ALWAYS TRIGGER ended;


--
-- Name: round_end_2026_11 ended; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER ended AFTER INSERT ON books.round_end_2026_11 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_ends();

ALTER TABLE books.round_end_2026_11 ENABLE ALWAYS TRIGGER ended;


--
-- Name: round_end_2026_12 ended; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER ended AFTER INSERT ON books.round_end_2026_12 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_ends();

ALTER TABLE books.round_end_2026_12 ENABLE ALWAYS TRIGGER ended;


--
-- Name: round_end_2027_01 ended; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER ended AFTER INSERT ON books.round_end_2027_01 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_ends();

ALTER TABLE books.round_end_2027_01 ENABLE ALWAYS TRIGGER ended;


--
-- Name: round_end_2027_02 ended; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER ended AFTER INSERT ON books.round_end_2027_02 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_ends();

ALTER TABLE books.round_end_2027_02 ENABLE ALWAYS TRIGGER ended;


--
-- Name: round_end_2027_03 ended; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER ended AFTER INSERT ON books.round_end_2027_03 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_ends();

ALTER TABLE books.round_end_2027_03 ENABLE ALWAYS TRIGGER ended;


--
-- Name: round_end_2027_04 ended; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER ended AFTER INSERT ON books.round_end_2027_04 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_ends();

ALTER TABLE books.round_end_2027_04 ENABLE ALWAYS TRIGGER ended;


--
-- Name: round_end_2027_05 ended; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER ended AFTER INSERT ON books.round_end_2027_05 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_ends();

ALTER TABLE books.round_end_2027_05 ENABLE ALWAYS TRIGGER ended;


--
-- Name: round_end_2027_06 ended; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER ended AFTER INSERT ON books.round_end_2027_06 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_ends();

ALTER TABLE books.round_end_2027_06 ENABLE ALWAYS TRIGGER ended;


--
-- Name: round_end_2027_07 ended; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER ended AFTER INSERT ON books.round_end_2027_07 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_ends();

ALTER TABLE books.round_end_2027_07 ENABLE ALWAYS TRIGGER ended;


--
-- Name: round_end_2027_08 ended; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER ended AFTER INSERT ON books.round_end_2027_08 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_ends();

ALTER TABLE books.round_end_2027_08 ENABLE ALWAYS TRIGGER ended;


--
-- Name: round_end_2027_09 ended; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER ended AFTER INSERT ON books.round_end_2027_09 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_ends();

ALTER TABLE books.round_end_2027_09 ENABLE ALWAYS TRIGGER ended;


--
-- Name: round_end_2027_10 ended; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER ended AFTER INSERT ON books.round_end_2027_10 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_ends();

ALTER TABLE books.round_end_2027_10 ENABLE ALWAYS TRIGGER ended;


--
-- Name: round_end_2027_11 ended; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER ended AFTER INSERT ON books.round_end_2027_11 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_ends();

ALTER TABLE books.round_end_2027_11 ENABLE ALWAYS TRIGGER ended;


--
-- Name: round_end_other ended; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER ended AFTER INSERT ON books.round_end_other REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_ends();

ALTER TABLE books.round_end_other ENABLE ALWAYS TRIGGER ended;


--
-- Name: approval never_changed; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_changed BEFORE DELETE OR UPDATE ON books.approval FOR EACH ROW EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.approval ENABLE ALWAYS TRIGGER never_changed;


--
-- Name: audit never_changed; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_changed BEFORE DELETE OR UPDATE ON books.audit FOR EACH ROW EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.audit ENABLE ALWAYS TRIGGER never_changed;


--
-- Name: entry never_changed; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_changed BEFORE DELETE OR UPDATE ON books.entry FOR EACH ROW EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.entry ENABLE ALWAYS TRIGGER never_changed;


--
-- Name: floor never_changed; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_changed BEFORE DELETE OR UPDATE ON books.floor FOR EACH ROW EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.floor ENABLE ALWAYS TRIGGER never_changed;


--
-- Name: link never_changed; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_changed BEFORE DELETE OR UPDATE ON books.link FOR EACH ROW EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.link ENABLE ALWAYS TRIGGER never_changed;


--
-- Name: once never_changed; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_changed BEFORE DELETE OR UPDATE ON books.once FOR EACH ROW EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.once ENABLE ALWAYS TRIGGER never_changed;


--
-- Name: parked never_changed; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_changed BEFORE DELETE OR UPDATE ON books.parked FOR EACH ROW EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.parked ENABLE ALWAYS TRIGGER never_changed;


--
-- Name: proposal never_changed; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_changed BEFORE DELETE OR UPDATE ON books.proposal FOR EACH ROW EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.proposal ENABLE ALWAYS TRIGGER never_changed;


--
-- Name: round never_changed; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_changed BEFORE DELETE OR UPDATE ON books.round FOR EACH ROW EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round ENABLE ALWAYS TRIGGER never_changed;


--
-- Name: round_end never_changed; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_changed BEFORE DELETE OR UPDATE ON books.round_end FOR EACH ROW EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_end ENABLE ALWAYS TRIGGER never_changed;


--
-- Name: table_fact never_changed; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_changed BEFORE DELETE OR UPDATE ON books.table_fact FOR EACH ROW EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.table_fact ENABLE ALWAYS TRIGGER never_changed;


--
-- Name: version never_changed; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_changed BEFORE DELETE OR UPDATE ON books.version FOR EACH ROW EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.version ENABLE ALWAYS TRIGGER never_changed;


--
-- Name: approval never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.approval FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.approval ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: audit never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.audit FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.audit ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: audit_2026_11 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.audit_2026_11 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.audit_2026_11 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: audit_2026_12 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.audit_2026_12 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.audit_2026_12 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: audit_2027_01 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.audit_2027_01 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.audit_2027_01 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: audit_2027_02 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.audit_2027_02 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.audit_2027_02 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: audit_2027_03 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.audit_2027_03 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.audit_2027_03 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: audit_2027_04 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.audit_2027_04 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.audit_2027_04 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: audit_2027_05 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.audit_2027_05 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.audit_2027_05 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: audit_2027_06 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.audit_2027_06 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.audit_2027_06 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: audit_2027_07 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.audit_2027_07 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.audit_2027_07 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: audit_2027_08 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.audit_2027_08 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.audit_2027_08 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: audit_2027_09 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.audit_2027_09 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.audit_2027_09 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: audit_2027_10 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.audit_2027_10 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.audit_2027_10 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: audit_2027_11 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.audit_2027_11 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.audit_2027_11 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: audit_other never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.audit_other FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.audit_other ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: award never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.award FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();


--
-- Name: entry never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.entry FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.entry ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: entry_2026_11 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.entry_2026_11 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.entry_2026_11 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: entry_2026_12 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.entry_2026_12 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.entry_2026_12 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: entry_2027_01 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.entry_2027_01 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.entry_2027_01 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: entry_2027_02 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.entry_2027_02 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.entry_2027_02 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: entry_2027_03 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.entry_2027_03 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.entry_2027_03 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: entry_2027_04 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.entry_2027_04 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.entry_2027_04 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: entry_2027_05 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.entry_2027_05 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.entry_2027_05 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: entry_2027_06 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.entry_2027_06 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.entry_2027_06 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: entry_2027_07 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.entry_2027_07 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.entry_2027_07 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: entry_2027_08 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.entry_2027_08 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.entry_2027_08 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: entry_2027_09 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.entry_2027_09 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.entry_2027_09 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: entry_2027_10 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.entry_2027_10 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.entry_2027_10 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: entry_2027_11 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.entry_2027_11 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.entry_2027_11 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: entry_other never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.entry_other FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.entry_other ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: floor never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.floor FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.floor ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: link never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.link FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.link ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: once never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.once FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.once ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: parked never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.parked FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.parked ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: proposal never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.proposal FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.proposal ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_2026_11 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_2026_11 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_2026_11 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_2026_12 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_2026_12 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_2026_12 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_2027_01 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_2027_01 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_2027_01 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_2027_02 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_2027_02 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_2027_02 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_2027_03 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_2027_03 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_2027_03 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_2027_04 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_2027_04 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_2027_04 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_2027_05 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_2027_05 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_2027_05 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_2027_06 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_2027_06 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_2027_06 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_2027_07 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_2027_07 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_2027_07 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_2027_08 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_2027_08 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_2027_08 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_2027_09 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_2027_09 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_2027_09 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_2027_10 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_2027_10 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_2027_10 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_2027_11 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_2027_11 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_2027_11 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_end never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_end FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_end ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_end_2026_11 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_end_2026_11 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_end_2026_11 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_end_2026_12 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_end_2026_12 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_end_2026_12 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_end_2027_01 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_end_2027_01 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_end_2027_01 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_end_2027_02 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_end_2027_02 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_end_2027_02 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_end_2027_03 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_end_2027_03 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_end_2027_03 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_end_2027_04 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_end_2027_04 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_end_2027_04 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_end_2027_05 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_end_2027_05 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_end_2027_05 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_end_2027_06 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_end_2027_06 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_end_2027_06 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_end_2027_07 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_end_2027_07 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_end_2027_07 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_end_2027_08 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_end_2027_08 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_end_2027_08 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_end_2027_09 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_end_2027_09 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_end_2027_09 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_end_2027_10 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_end_2027_10 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_end_2027_10 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_end_2027_11 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_end_2027_11 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_end_2027_11 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_end_other never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_end_other FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_end_other ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: round_other never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.round_other FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.round_other ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: table_fact never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.table_fact FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.table_fact ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: table_fact_2026_11 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.table_fact_2026_11 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.table_fact_2026_11 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: table_fact_2026_12 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.table_fact_2026_12 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.table_fact_2026_12 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: table_fact_2027_01 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.table_fact_2027_01 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.table_fact_2027_01 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: table_fact_2027_02 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.table_fact_2027_02 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.table_fact_2027_02 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: table_fact_2027_03 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.table_fact_2027_03 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.table_fact_2027_03 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: table_fact_2027_04 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.table_fact_2027_04 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.table_fact_2027_04 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: table_fact_2027_05 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.table_fact_2027_05 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.table_fact_2027_05 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: table_fact_2027_06 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.table_fact_2027_06 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.table_fact_2027_06 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: table_fact_2027_07 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.table_fact_2027_07 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.table_fact_2027_07 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: table_fact_2027_08 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.table_fact_2027_08 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.table_fact_2027_08 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: table_fact_2027_09 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.table_fact_2027_09 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.table_fact_2027_09 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: table_fact_2027_10 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.table_fact_2027_10 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.table_fact_2027_10 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: table_fact_2027_11 never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.table_fact_2027_11 FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.table_fact_2027_11 ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: table_fact_other never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.table_fact_other FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.table_fact_other ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: version never_emptied; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON books.version FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

ALTER TABLE books.version ENABLE ALWAYS TRIGGER never_emptied;


--
-- Name: award never_removed; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER never_removed BEFORE DELETE ON books.award FOR EACH ROW EXECUTE FUNCTION books.refuse_change();


--
-- Name: round numbered; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER numbered AFTER INSERT ON books.round REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_rounds();

ALTER TABLE books.round ENABLE ALWAYS TRIGGER numbered;


--
-- Name: round_2026_11 numbered; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER numbered AFTER INSERT ON books.round_2026_11 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_rounds();

ALTER TABLE books.round_2026_11 ENABLE ALWAYS TRIGGER numbered;


--
-- Name: round_2026_12 numbered; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER numbered AFTER INSERT ON books.round_2026_12 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_rounds();

ALTER TABLE books.round_2026_12 ENABLE ALWAYS TRIGGER numbered;


--
-- Name: round_2027_01 numbered; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER numbered AFTER INSERT ON books.round_2027_01 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_rounds();

ALTER TABLE books.round_2027_01 ENABLE ALWAYS TRIGGER numbered;


--
-- Name: round_2027_02 numbered; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER numbered AFTER INSERT ON books.round_2027_02 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_rounds();

ALTER TABLE books.round_2027_02 ENABLE ALWAYS TRIGGER numbered;


--
-- Name: round_2027_03 numbered; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER numbered AFTER INSERT ON books.round_2027_03 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_rounds();

ALTER TABLE books.round_2027_03 ENABLE ALWAYS TRIGGER numbered;


--
-- Name: round_2027_04 numbered; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER numbered AFTER INSERT ON books.round_2027_04 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_rounds();

ALTER TABLE books.round_2027_04 ENABLE ALWAYS TRIGGER numbered;


--
-- Name: round_2027_05 numbered; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER numbered AFTER INSERT ON books.round_2027_05 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_rounds();

ALTER TABLE books.round_2027_05 ENABLE ALWAYS TRIGGER numbered;


--
-- Name: round_2027_06 numbered; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER numbered AFTER INSERT ON books.round_2027_06 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_rounds();

ALTER TABLE books.round_2027_06 ENABLE ALWAYS TRIGGER numbered;


--
-- Name: round_2027_07 numbered; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER numbered AFTER INSERT ON books.round_2027_07 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_rounds();

ALTER TABLE books.round_2027_07 ENABLE ALWAYS TRIGGER numbered;


--
-- Name: round_2027_08 numbered; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER numbered AFTER INSERT ON books.round_2027_08 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_rounds();

ALTER TABLE books.round_2027_08 ENABLE ALWAYS TRIGGER numbered;


--
-- Name: round_2027_09 numbered; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER numbered AFTER INSERT ON books.round_2027_09 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_rounds();

ALTER TABLE books.round_2027_09 ENABLE ALWAYS TRIGGER numbered;


--
-- Name: round_2027_10 numbered; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER numbered AFTER INSERT ON books.round_2027_10 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_rounds();

ALTER TABLE books.round_2027_10 ENABLE ALWAYS TRIGGER numbered;


--
-- Name: round_2027_11 numbered; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER numbered AFTER INSERT ON books.round_2027_11 REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_rounds();

ALTER TABLE books.round_2027_11 ENABLE ALWAYS TRIGGER numbered;


--
-- Name: round_other numbered; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER numbered AFTER INSERT ON books.round_other REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION books.number_rounds();

ALTER TABLE books.round_other ENABLE ALWAYS TRIGGER numbered;


--
-- Name: standing stand; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER stand BEFORE UPDATE ON books.standing FOR EACH ROW EXECUTE FUNCTION books.stand();


--
-- Name: award steps; Type: TRIGGER; Schema: books; Owner: feltwork_owner
--

CREATE TRIGGER steps BEFORE UPDATE ON books.award FOR EACH ROW EXECUTE FUNCTION books.award_steps();


--
-- Name: approval approval_answered_by_fkey; Type: FK CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.approval
    ADD CONSTRAINT approval_answered_by_fkey FOREIGN KEY (answered_by) REFERENCES books.person(id);


--
-- Name: approval approval_fingerprint_fkey; Type: FK CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.approval
    ADD CONSTRAINT approval_fingerprint_fkey FOREIGN KEY (fingerprint) REFERENCES books.proposal(fingerprint);


--
-- Name: approval approval_proposal_fkey; Type: FK CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.approval
    ADD CONSTRAINT approval_proposal_fkey FOREIGN KEY (proposal) REFERENCES books.proposal(id);


--
-- Name: award award_link_fkey; Type: FK CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.award
    ADD CONSTRAINT award_link_fkey FOREIGN KEY (link) REFERENCES books.link(id);


--
-- Name: balance balance_link_fkey; Type: FK CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.balance
    ADD CONSTRAINT balance_link_fkey FOREIGN KEY (link) REFERENCES books.link(id);


--
-- Name: chain_tail chain_tail_link_fkey; Type: FK CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.chain_tail
    ADD CONSTRAINT chain_tail_link_fkey FOREIGN KEY (link) REFERENCES books.link(id);


--
-- Name: entry entry_link_fkey; Type: FK CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE books.entry
    ADD CONSTRAINT entry_link_fkey FOREIGN KEY (link) REFERENCES books.link(id);


--
-- Name: once once_link_fkey; Type: FK CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.once
    ADD CONSTRAINT once_link_fkey FOREIGN KEY (link) REFERENCES books.link(id);


--
-- Name: parked parked_link_fkey; Type: FK CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.parked
    ADD CONSTRAINT parked_link_fkey FOREIGN KEY (link) REFERENCES books.link(id);


--
-- Name: proposal proposal_proposed_by_fkey; Type: FK CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.proposal
    ADD CONSTRAINT proposal_proposed_by_fkey FOREIGN KEY (proposed_by) REFERENCES books.person(id);


--
-- Name: session session_person_fkey; Type: FK CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.session
    ADD CONSTRAINT session_person_fkey FOREIGN KEY (person) REFERENCES books.person(id);


--
-- Name: standing standing_link_fkey; Type: FK CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.standing
    ADD CONSTRAINT standing_link_fkey FOREIGN KEY (link) REFERENCES books.link(id);


--
-- Name: table_round table_round_link_fkey; Type: FK CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.table_round
    ADD CONSTRAINT table_round_link_fkey FOREIGN KEY (link) REFERENCES books.link(id);


--
-- Name: version version_link_fkey; Type: FK CONSTRAINT; Schema: books; Owner: feltwork_owner
--

ALTER TABLE ONLY books.version
    ADD CONSTRAINT version_link_fkey FOREIGN KEY (link) REFERENCES books.link(id);


--
-- Name: SCHEMA books; Type: ACL; Schema: -; Owner: feltwork_owner
--

GRANT USAGE ON SCHEMA books TO feltwork_writer;
GRANT USAGE ON SCHEMA books TO feltwork_reader;


--
-- Name: FUNCTION guard_partition(parent text, partition text); Type: ACL; Schema: books; Owner: feltwork_owner
--

REVOKE ALL ON FUNCTION books.guard_partition(parent text, partition text) FROM PUBLIC;


--
-- Name: TABLE entry; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT ON TABLE books.entry TO feltwork_writer;
GRANT SELECT ON TABLE books.entry TO feltwork_reader;


--
-- Name: COLUMN entry.body; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(body) ON TABLE books.entry TO feltwork_writer;


--
-- Name: COLUMN entry.fact; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(fact) ON TABLE books.entry TO feltwork_writer;


--
-- Name: FUNCTION happen_once(entry books.entry, refs jsonb); Type: ACL; Schema: books; Owner: feltwork_owner
--

REVOKE ALL ON FUNCTION books.happen_once(entry books.entry, refs jsonb) FROM PUBLIC;


--
-- Name: FUNCTION make_append_only(name regclass); Type: ACL; Schema: books; Owner: feltwork_owner
--

REVOKE ALL ON FUNCTION books.make_append_only(name regclass) FROM PUBLIC;


--
-- Name: FUNCTION make_partitions(first_day date, months integer); Type: ACL; Schema: books; Owner: feltwork_owner
--

REVOKE ALL ON FUNCTION books.make_partitions(first_day date, months integer) FROM PUBLIC;
GRANT ALL ON FUNCTION books.make_partitions(first_day date, months integer) TO feltwork_writer;


--
-- Name: FUNCTION move_balances(of_link text, accounts text[], amounts bigint[]); Type: ACL; Schema: books; Owner: feltwork_owner
--

REVOKE ALL ON FUNCTION books.move_balances(of_link text, accounts text[], amounts bigint[]) FROM PUBLIC;


--
-- Name: FUNCTION number_grouped(tables text[], numbers bigint[]); Type: ACL; Schema: books; Owner: feltwork_owner
--

REVOKE ALL ON FUNCTION books.number_grouped(tables text[], numbers bigint[]) FROM PUBLIC;


--
-- Name: FUNCTION partition_by_month(parent text); Type: ACL; Schema: books; Owner: feltwork_owner
--

REVOKE ALL ON FUNCTION books.partition_by_month(parent text) FROM PUBLIC;


--
-- Name: FUNCTION reconfigure_closed(entry books.entry, refs jsonb); Type: ACL; Schema: books; Owner: feltwork_owner
--

REVOKE ALL ON FUNCTION books.reconfigure_closed(entry books.entry, refs jsonb) FROM PUBLIC;


--
-- Name: FUNCTION take(of_link text); Type: ACL; Schema: books; Owner: feltwork_owner
--

REVOKE ALL ON FUNCTION books.take(of_link text) FROM PUBLIC;
GRANT ALL ON FUNCTION books.take(of_link text) TO feltwork_writer;


--
-- Name: TABLE approval; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT ON TABLE books.approval TO feltwork_writer;
GRANT SELECT ON TABLE books.approval TO feltwork_reader;


--
-- Name: COLUMN approval.proposal; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(proposal) ON TABLE books.approval TO feltwork_writer;


--
-- Name: COLUMN approval.fingerprint; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(fingerprint) ON TABLE books.approval TO feltwork_writer;


--
-- Name: COLUMN approval.answered_by; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(answered_by) ON TABLE books.approval TO feltwork_writer;


--
-- Name: COLUMN approval.approved; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(approved) ON TABLE books.approval TO feltwork_writer;


--
-- Name: TABLE audit; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT ON TABLE books.audit TO feltwork_writer;
GRANT SELECT ON TABLE books.audit TO feltwork_reader;


--
-- Name: COLUMN audit.who; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(who) ON TABLE books.audit TO feltwork_writer;


--
-- Name: COLUMN audit.place; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(place) ON TABLE books.audit TO feltwork_writer;


--
-- Name: COLUMN audit.what; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(what) ON TABLE books.audit TO feltwork_writer;


--
-- Name: COLUMN audit.why; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(why) ON TABLE books.audit TO feltwork_writer;


--
-- Name: COLUMN audit.before; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(before) ON TABLE books.audit TO feltwork_writer;


--
-- Name: COLUMN audit.after; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(after) ON TABLE books.audit TO feltwork_writer;


--
-- Name: TABLE award; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE books.award TO feltwork_writer;
GRANT SELECT ON TABLE books.award TO feltwork_reader;


--
-- Name: TABLE balance; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT ON TABLE books.balance TO feltwork_writer;
GRANT SELECT ON TABLE books.balance TO feltwork_reader;


--
-- Name: TABLE chain_tail; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT ON TABLE books.chain_tail TO feltwork_writer;
GRANT SELECT ON TABLE books.chain_tail TO feltwork_reader;


--
-- Name: COLUMN chain_tail.link; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(link) ON TABLE books.chain_tail TO feltwork_writer;


--
-- Name: TABLE ended; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT ON TABLE books.ended TO feltwork_writer;
GRANT SELECT ON TABLE books.ended TO feltwork_reader;


--
-- Name: TABLE floor; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT,INSERT ON TABLE books.floor TO feltwork_writer;
GRANT SELECT ON TABLE books.floor TO feltwork_reader;


--
-- Name: TABLE numbered; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT ON TABLE books.numbered TO feltwork_writer;
GRANT SELECT ON TABLE books.numbered TO feltwork_reader;


--
-- Name: TABLE gap; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT ON TABLE books.gap TO feltwork_writer;
GRANT SELECT ON TABLE books.gap TO feltwork_reader;


--
-- Name: TABLE idempotency; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT,INSERT ON TABLE books.idempotency TO feltwork_writer;


--
-- Name: COLUMN idempotency.answer; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT UPDATE(answer) ON TABLE books.idempotency TO feltwork_writer;


--
-- Name: TABLE lawful; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT ON TABLE books.lawful TO feltwork_writer;
GRANT SELECT ON TABLE books.lawful TO feltwork_reader;


--
-- Name: TABLE link; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT,INSERT ON TABLE books.link TO feltwork_writer;
GRANT SELECT ON TABLE books.link TO feltwork_reader;


--
-- Name: TABLE once; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT ON TABLE books.once TO feltwork_writer;
GRANT SELECT ON TABLE books.once TO feltwork_reader;


--
-- Name: TABLE parked; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT ON TABLE books.parked TO feltwork_writer;
GRANT SELECT ON TABLE books.parked TO feltwork_reader;


--
-- Name: COLUMN parked.link; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(link) ON TABLE books.parked TO feltwork_writer;


--
-- Name: COLUMN parked.table_id; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(table_id) ON TABLE books.parked TO feltwork_writer;


--
-- Name: COLUMN parked.number; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(number) ON TABLE books.parked TO feltwork_writer;


--
-- Name: COLUMN parked.round; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(round) ON TABLE books.parked TO feltwork_writer;


--
-- Name: COLUMN parked.problem; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(problem) ON TABLE books.parked TO feltwork_writer;


--
-- Name: TABLE person; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT,INSERT ON TABLE books.person TO feltwork_writer;


--
-- Name: COLUMN person.id; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT(id) ON TABLE books.person TO feltwork_reader;


--
-- Name: COLUMN person.name; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT UPDATE(name) ON TABLE books.person TO feltwork_writer;
GRANT SELECT(name) ON TABLE books.person TO feltwork_reader;


--
-- Name: COLUMN person.role; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT UPDATE(role) ON TABLE books.person TO feltwork_writer;
GRANT SELECT(role) ON TABLE books.person TO feltwork_reader;


--
-- Name: COLUMN person.badge; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT UPDATE(badge) ON TABLE books.person TO feltwork_writer;
GRANT SELECT(badge) ON TABLE books.person TO feltwork_reader;


--
-- Name: COLUMN person.pin_hash; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT UPDATE(pin_hash) ON TABLE books.person TO feltwork_writer;


--
-- Name: COLUMN person.password_hash; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT UPDATE(password_hash) ON TABLE books.person TO feltwork_writer;


--
-- Name: COLUMN person.failed_tries; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT UPDATE(failed_tries) ON TABLE books.person TO feltwork_writer;
GRANT SELECT(failed_tries) ON TABLE books.person TO feltwork_reader;


--
-- Name: COLUMN person.locked_until; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT UPDATE(locked_until) ON TABLE books.person TO feltwork_writer;
GRANT SELECT(locked_until) ON TABLE books.person TO feltwork_reader;


--
-- Name: COLUMN person.active; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT UPDATE(active) ON TABLE books.person TO feltwork_writer;
GRANT SELECT(active) ON TABLE books.person TO feltwork_reader;


--
-- Name: COLUMN person.registered_at; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT(registered_at) ON TABLE books.person TO feltwork_reader;


--
-- Name: TABLE proposal; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT ON TABLE books.proposal TO feltwork_writer;
GRANT SELECT ON TABLE books.proposal TO feltwork_reader;


--
-- Name: COLUMN proposal.id; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(id) ON TABLE books.proposal TO feltwork_writer;


--
-- Name: COLUMN proposal.command; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(command) ON TABLE books.proposal TO feltwork_writer;


--
-- Name: COLUMN proposal.about; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(about) ON TABLE books.proposal TO feltwork_writer;


--
-- Name: COLUMN proposal.body; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(body) ON TABLE books.proposal TO feltwork_writer;


--
-- Name: COLUMN proposal.fingerprint; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(fingerprint) ON TABLE books.proposal TO feltwork_writer;


--
-- Name: COLUMN proposal.proposed_by; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(proposed_by) ON TABLE books.proposal TO feltwork_writer;


--
-- Name: COLUMN proposal.lapses_at; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(lapses_at) ON TABLE books.proposal TO feltwork_writer;


--
-- Name: TABLE round; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT ON TABLE books.round TO feltwork_writer;
GRANT SELECT ON TABLE books.round TO feltwork_reader;


--
-- Name: COLUMN round.table_id; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(table_id) ON TABLE books.round TO feltwork_writer;


--
-- Name: COLUMN round.number; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(number) ON TABLE books.round TO feltwork_writer;


--
-- Name: COLUMN round.link; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(link) ON TABLE books.round TO feltwork_writer;


--
-- Name: COLUMN round.started_at; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(started_at) ON TABLE books.round TO feltwork_writer;


--
-- Name: COLUMN round.wager; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(wager) ON TABLE books.round TO feltwork_writer;


--
-- Name: COLUMN round.seats; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(seats) ON TABLE books.round TO feltwork_writer;


--
-- Name: COLUMN round.entry; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(entry) ON TABLE books.round TO feltwork_writer;


--
-- Name: COLUMN round_2026_11.table_id; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(table_id) ON TABLE books.round_2026_11 TO feltwork_writer;


--
-- Name: COLUMN round_2026_11.number; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(number) ON TABLE books.round_2026_11 TO feltwork_writer;


--
-- Name: COLUMN round_2026_11.link; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(link) ON TABLE books.round_2026_11 TO feltwork_writer;


--
-- Name: COLUMN round_2026_11.started_at; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(started_at) ON TABLE books.round_2026_11 TO feltwork_writer;


--
-- Name: COLUMN round_2026_11.wager; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(wager) ON TABLE books.round_2026_11 TO feltwork_writer;


--
-- Name: COLUMN round_2026_11.seats; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(seats) ON TABLE books.round_2026_11 TO feltwork_writer;


--
-- Name: COLUMN round_2026_11.entry; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(entry) ON TABLE books.round_2026_11 TO feltwork_writer;


--
-- Name: COLUMN round_2026_12.table_id; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(table_id) ON TABLE books.round_2026_12 TO feltwork_writer;


--
-- Name: COLUMN round_2026_12.number; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(number) ON TABLE books.round_2026_12 TO feltwork_writer;


--
-- Name: COLUMN round_2026_12.link; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(link) ON TABLE books.round_2026_12 TO feltwork_writer;


--
-- Name: COLUMN round_2026_12.started_at; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(started_at) ON TABLE books.round_2026_12 TO feltwork_writer;


--
-- Name: COLUMN round_2026_12.wager; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(wager) ON TABLE books.round_2026_12 TO feltwork_writer;


--
-- Name: COLUMN round_2026_12.seats; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(seats) ON TABLE books.round_2026_12 TO feltwork_writer;


--
-- Name: COLUMN round_2026_12.entry; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(entry) ON TABLE books.round_2026_12 TO feltwork_writer;


--
-- Name: COLUMN round_2027_01.table_id; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(table_id) ON TABLE books.round_2027_01 TO feltwork_writer;


--
-- Name: COLUMN round_2027_01.number; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(number) ON TABLE books.round_2027_01 TO feltwork_writer;


--
-- Name: COLUMN round_2027_01.link; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(link) ON TABLE books.round_2027_01 TO feltwork_writer;


--
-- Name: COLUMN round_2027_01.started_at; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(started_at) ON TABLE books.round_2027_01 TO feltwork_writer;


--
-- Name: COLUMN round_2027_01.wager; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(wager) ON TABLE books.round_2027_01 TO feltwork_writer;


--
-- Name: COLUMN round_2027_01.seats; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(seats) ON TABLE books.round_2027_01 TO feltwork_writer;


--
-- Name: COLUMN round_2027_01.entry; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(entry) ON TABLE books.round_2027_01 TO feltwork_writer;


--
-- Name: COLUMN round_2027_02.table_id; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(table_id) ON TABLE books.round_2027_02 TO feltwork_writer;


--
-- Name: COLUMN round_2027_02.number; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(number) ON TABLE books.round_2027_02 TO feltwork_writer;


--
-- Name: COLUMN round_2027_02.link; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(link) ON TABLE books.round_2027_02 TO feltwork_writer;


--
-- Name: COLUMN round_2027_02.started_at; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(started_at) ON TABLE books.round_2027_02 TO feltwork_writer;


--
-- Name: COLUMN round_2027_02.wager; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(wager) ON TABLE books.round_2027_02 TO feltwork_writer;


--
-- Name: COLUMN round_2027_02.seats; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(seats) ON TABLE books.round_2027_02 TO feltwork_writer;


--
-- Name: COLUMN round_2027_02.entry; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(entry) ON TABLE books.round_2027_02 TO feltwork_writer;


--
-- Name: COLUMN round_2027_03.table_id; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(table_id) ON TABLE books.round_2027_03 TO feltwork_writer;


--
-- Name: COLUMN round_2027_03.number; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(number) ON TABLE books.round_2027_03 TO feltwork_writer;


--
-- Name: COLUMN round_2027_03.link; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(link) ON TABLE books.round_2027_03 TO feltwork_writer;


--
-- Name: COLUMN round_2027_03.started_at; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(started_at) ON TABLE books.round_2027_03 TO feltwork_writer;


--
-- Name: COLUMN round_2027_03.wager; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(wager) ON TABLE books.round_2027_03 TO feltwork_writer;


--
-- Name: COLUMN round_2027_03.seats; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(seats) ON TABLE books.round_2027_03 TO feltwork_writer;


--
-- Name: COLUMN round_2027_03.entry; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(entry) ON TABLE books.round_2027_03 TO feltwork_writer;


--
-- Name: COLUMN round_2027_04.table_id; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(table_id) ON TABLE books.round_2027_04 TO feltwork_writer;


--
-- Name: COLUMN round_2027_04.number; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(number) ON TABLE books.round_2027_04 TO feltwork_writer;


--
-- Name: COLUMN round_2027_04.link; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(link) ON TABLE books.round_2027_04 TO feltwork_writer;


--
-- Name: COLUMN round_2027_04.started_at; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(started_at) ON TABLE books.round_2027_04 TO feltwork_writer;


--
-- Name: COLUMN round_2027_04.wager; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(wager) ON TABLE books.round_2027_04 TO feltwork_writer;


--
-- Name: COLUMN round_2027_04.seats; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(seats) ON TABLE books.round_2027_04 TO feltwork_writer;


--
-- Name: COLUMN round_2027_04.entry; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(entry) ON TABLE books.round_2027_04 TO feltwork_writer;


--
-- Name: COLUMN round_2027_05.table_id; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(table_id) ON TABLE books.round_2027_05 TO feltwork_writer;


--
-- Name: COLUMN round_2027_05.number; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(number) ON TABLE books.round_2027_05 TO feltwork_writer;


--
-- Name: COLUMN round_2027_05.link; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(link) ON TABLE books.round_2027_05 TO feltwork_writer;


--
-- Name: COLUMN round_2027_05.started_at; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(started_at) ON TABLE books.round_2027_05 TO feltwork_writer;


--
-- Name: COLUMN round_2027_05.wager; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(wager) ON TABLE books.round_2027_05 TO feltwork_writer;


--
-- Name: COLUMN round_2027_05.seats; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(seats) ON TABLE books.round_2027_05 TO feltwork_writer;


--
-- Name: COLUMN round_2027_05.entry; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(entry) ON TABLE books.round_2027_05 TO feltwork_writer;


--
-- Name: COLUMN round_2027_06.table_id; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(table_id) ON TABLE books.round_2027_06 TO feltwork_writer;


--
-- Name: COLUMN round_2027_06.number; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(number) ON TABLE books.round_2027_06 TO feltwork_writer;


--
-- Name: COLUMN round_2027_06.link; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(link) ON TABLE books.round_2027_06 TO feltwork_writer;


--
-- Name: COLUMN round_2027_06.started_at; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(started_at) ON TABLE books.round_2027_06 TO feltwork_writer;


--
-- Name: COLUMN round_2027_06.wager; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(wager) ON TABLE books.round_2027_06 TO feltwork_writer;


--
-- Name: COLUMN round_2027_06.seats; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(seats) ON TABLE books.round_2027_06 TO feltwork_writer;


--
-- Name: COLUMN round_2027_06.entry; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(entry) ON TABLE books.round_2027_06 TO feltwork_writer;


--
-- Name: COLUMN round_2027_07.table_id; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(table_id) ON TABLE books.round_2027_07 TO feltwork_writer;


--
-- Name: COLUMN round_2027_07.number; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(number) ON TABLE books.round_2027_07 TO feltwork_writer;


--
-- Name: COLUMN round_2027_07.link; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(link) ON TABLE books.round_2027_07 TO feltwork_writer;


--
-- Name: COLUMN round_2027_07.started_at; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(started_at) ON TABLE books.round_2027_07 TO feltwork_writer;


--
-- Name: COLUMN round_2027_07.wager; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(wager) ON TABLE books.round_2027_07 TO feltwork_writer;


--
-- Name: COLUMN round_2027_07.seats; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(seats) ON TABLE books.round_2027_07 TO feltwork_writer;


--
-- Name: COLUMN round_2027_07.entry; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(entry) ON TABLE books.round_2027_07 TO feltwork_writer;


--
-- Name: COLUMN round_2027_08.table_id; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(table_id) ON TABLE books.round_2027_08 TO feltwork_writer;


--
-- Name: COLUMN round_2027_08.number; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(number) ON TABLE books.round_2027_08 TO feltwork_writer;


--
-- Name: COLUMN round_2027_08.link; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(link) ON TABLE books.round_2027_08 TO feltwork_writer;


--
-- Name: COLUMN round_2027_08.started_at; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(started_at) ON TABLE books.round_2027_08 TO feltwork_writer;


--
-- Name: COLUMN round_2027_08.wager; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(wager) ON TABLE books.round_2027_08 TO feltwork_writer;


--
-- Name: COLUMN round_2027_08.seats; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(seats) ON TABLE books.round_2027_08 TO feltwork_writer;


--
-- Name: COLUMN round_2027_08.entry; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(entry) ON TABLE books.round_2027_08 TO feltwork_writer;


--
-- Name: COLUMN round_2027_09.table_id; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(table_id) ON TABLE books.round_2027_09 TO feltwork_writer;


--
-- Name: COLUMN round_2027_09.number; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(number) ON TABLE books.round_2027_09 TO feltwork_writer;


--
-- Name: COLUMN round_2027_09.link; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(link) ON TABLE books.round_2027_09 TO feltwork_writer;


--
-- Name: COLUMN round_2027_09.started_at; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(started_at) ON TABLE books.round_2027_09 TO feltwork_writer;


--
-- Name: COLUMN round_2027_09.wager; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(wager) ON TABLE books.round_2027_09 TO feltwork_writer;


--
-- Name: COLUMN round_2027_09.seats; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(seats) ON TABLE books.round_2027_09 TO feltwork_writer;


--
-- Name: COLUMN round_2027_09.entry; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(entry) ON TABLE books.round_2027_09 TO feltwork_writer;


--
-- Name: COLUMN round_2027_10.table_id; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(table_id) ON TABLE books.round_2027_10 TO feltwork_writer;


--
-- Name: COLUMN round_2027_10.number; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(number) ON TABLE books.round_2027_10 TO feltwork_writer;


--
-- Name: COLUMN round_2027_10.link; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(link) ON TABLE books.round_2027_10 TO feltwork_writer;


--
-- Name: COLUMN round_2027_10.started_at; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(started_at) ON TABLE books.round_2027_10 TO feltwork_writer;


--
-- Name: COLUMN round_2027_10.wager; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(wager) ON TABLE books.round_2027_10 TO feltwork_writer;


--
-- Name: COLUMN round_2027_10.seats; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(seats) ON TABLE books.round_2027_10 TO feltwork_writer;


--
-- Name: COLUMN round_2027_10.entry; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(entry) ON TABLE books.round_2027_10 TO feltwork_writer;


--
-- Name: COLUMN round_2027_11.table_id; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(table_id) ON TABLE books.round_2027_11 TO feltwork_writer;


--
-- Name: COLUMN round_2027_11.number; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(number) ON TABLE books.round_2027_11 TO feltwork_writer;


--
-- Name: COLUMN round_2027_11.link; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(link) ON TABLE books.round_2027_11 TO feltwork_writer;


--
-- Name: COLUMN round_2027_11.started_at; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(started_at) ON TABLE books.round_2027_11 TO feltwork_writer;


--
-- Name: COLUMN round_2027_11.wager; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(wager) ON TABLE books.round_2027_11 TO feltwork_writer;


--
-- Name: COLUMN round_2027_11.seats; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(seats) ON TABLE books.round_2027_11 TO feltwork_writer;


--
-- Name: COLUMN round_2027_11.entry; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(entry) ON TABLE books.round_2027_11 TO feltwork_writer;


--
-- Name: TABLE round_end; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT ON TABLE books.round_end TO feltwork_writer;
GRANT SELECT ON TABLE books.round_end TO feltwork_reader;


--
-- Name: COLUMN round_end.table_id; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(table_id) ON TABLE books.round_end TO feltwork_writer;


--
-- Name: COLUMN round_end.number; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(number) ON TABLE books.round_end TO feltwork_writer;


--
-- Name: COLUMN round_end.link; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(link) ON TABLE books.round_end TO feltwork_writer;


--
-- Name: COLUMN round_end.ended_at; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(ended_at) ON TABLE books.round_end TO feltwork_writer;


--
-- Name: COLUMN round_end.fixed; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(fixed) ON TABLE books.round_end TO feltwork_writer;


--
-- Name: COLUMN round_end.envy; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(envy) ON TABLE books.round_end TO feltwork_writer;


--
-- Name: COLUMN round_end.entry; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(entry) ON TABLE books.round_end TO feltwork_writer;


--
-- Name: COLUMN round_other.table_id; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(table_id) ON TABLE books.round_other TO feltwork_writer;


--
-- Name: COLUMN round_other.number; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(number) ON TABLE books.round_other TO feltwork_writer;


--
-- Name: COLUMN round_other.link; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(link) ON TABLE books.round_other TO feltwork_writer;


--
-- Name: COLUMN round_other.started_at; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(started_at) ON TABLE books.round_other TO feltwork_writer;


--
-- Name: COLUMN round_other.wager; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(wager) ON TABLE books.round_other TO feltwork_writer;


--
-- Name: COLUMN round_other.seats; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(seats) ON TABLE books.round_other TO feltwork_writer;


--
-- Name: COLUMN round_other.entry; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(entry) ON TABLE books.round_other TO feltwork_writer;


--
-- Name: TABLE session; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT,INSERT ON TABLE books.session TO feltwork_writer;


--
-- Name: COLUMN session.ends_at; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT UPDATE(ends_at) ON TABLE books.session TO feltwork_writer;


--
-- Name: COLUMN session.ended_at; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT UPDATE(ended_at) ON TABLE books.session TO feltwork_writer;


--
-- Name: TABLE standing; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT,INSERT ON TABLE books.standing TO feltwork_writer;
GRANT SELECT ON TABLE books.standing TO feltwork_reader;


--
-- Name: COLUMN standing.number; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT UPDATE(number) ON TABLE books.standing TO feltwork_writer;


--
-- Name: COLUMN standing.version; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT UPDATE(version) ON TABLE books.standing TO feltwork_writer;


--
-- Name: COLUMN standing.state; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT UPDATE(state) ON TABLE books.standing TO feltwork_writer;


--
-- Name: TABLE table_fact; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT ON TABLE books.table_fact TO feltwork_writer;
GRANT SELECT ON TABLE books.table_fact TO feltwork_reader;


--
-- Name: COLUMN table_fact.link; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(link) ON TABLE books.table_fact TO feltwork_writer;


--
-- Name: COLUMN table_fact.table_id; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(table_id) ON TABLE books.table_fact TO feltwork_writer;


--
-- Name: COLUMN table_fact.number; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(number) ON TABLE books.table_fact TO feltwork_writer;


--
-- Name: COLUMN table_fact.at; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(at) ON TABLE books.table_fact TO feltwork_writer;


--
-- Name: COLUMN table_fact.kind; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(kind) ON TABLE books.table_fact TO feltwork_writer;


--
-- Name: COLUMN table_fact.fact; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT INSERT(fact) ON TABLE books.table_fact TO feltwork_writer;


--
-- Name: TABLE table_round; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE books.table_round TO feltwork_writer;
GRANT SELECT ON TABLE books.table_round TO feltwork_reader;


--
-- Name: TABLE version; Type: ACL; Schema: books; Owner: feltwork_owner
--

GRANT SELECT,INSERT ON TABLE books.version TO feltwork_writer;
GRANT SELECT ON TABLE books.version TO feltwork_reader;


--
-- Name: TABLE feltwork_schema; Type: ACL; Schema: public; Owner: postgres
--

GRANT SELECT ON TABLE public.feltwork_schema TO feltwork_writer;
GRANT SELECT ON TABLE public.feltwork_schema TO feltwork_reader;


--
-- PostgreSQL database dump complete
--

\unrestrict kept

