-- What the accounts of a link held at some entries, so that nobody reads a year to know a meter of last spring.

SET ROLE feltwork_owner;

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
REVOKE EXECUTE ON FUNCTION books.keep_checkpoint FROM PUBLIC;

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
GRANT EXECUTE ON FUNCTION books.held_after TO feltwork_writer, feltwork_reader;
RESET ROLE;
