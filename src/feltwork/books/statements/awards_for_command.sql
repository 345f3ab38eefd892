-- The awards that a command may look at: those not settled and those of their rounds, those of the round, and
-- the one it names.
SELECT id, table_id, round, seat, hand, claimed_by, claimed_at, status, level, from_meter, from_house, seed,
       reserve, locked, lock_number, first_lock, meter_inflow, reserve_inflow, restarts, supervisor, executive, paid_by, cards
  FROM books.award
 WHERE link = %(link)s
   AND (status IN ('claimed', 'confirmed') OR id = %(award)s
        OR (table_id = %(table)s AND round = %(round)s)
        OR (table_id, round) IN (SELECT open.table_id, open.round FROM books.award AS open
                                  WHERE open.link = %(link)s AND open.status = 'claimed'))
 ORDER BY place
