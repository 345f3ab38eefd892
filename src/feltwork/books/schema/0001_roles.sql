-- Who may do what: the owner migrates, the writer appends, the reader sees. A login is a member of one of them.

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

-- A statement that names a partition does not fire the statement triggers of its parent.
CREATE FUNCTION books.guard_partition(parent text, partition text) RETURNS void LANGUAGE plpgsql AS $$
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
RESET ROLE;
