-- The awards that a command may look at: those not settled, those of the round, and the one it names.
SELECT id, table_id, round, seat, hand, claimed_by, claimed_at, status, level, from_meter, from_house, seed,
       reserve, locked, lock_number, restarts, supervisor, executive
  FROM books.award
 WHERE link = %(link)s
   AND (status IN ('claimed', 'confirmed') OR id = %(award)s
        OR (table_id = %(table)s AND round = %(round)s))
 ORDER BY place
