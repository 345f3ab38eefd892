-- Awards as they stand: the fold of their facts, kept for commands and screens.

SET ROLE feltwork_owner;

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
RESET ROLE;
