-- One award of a link.
SELECT id, table_id, round, seat, hand, claimed_by, claimed_at, status, level, from_meter, from_house, seed,
       reserve, locked, lock_number, first_lock, meter_inflow, reserve_inflow, restarts, supervisor, executive, paid_by, cards
  FROM books.award WHERE link = %s AND id = %s
