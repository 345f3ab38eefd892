-- Awards that wait: for a badge, or for the money. Of every link, the oldest first.
SELECT link, id, table_id, round, seat, hand, claimed_by, claimed_at, status, level, from_meter, from_house, seed,
       reserve, locked, lock_number, first_lock, meter_inflow, reserve_inflow, restarts, supervisor, executive, paid_by, cards
  FROM books.award WHERE status IN ('claimed', 'confirmed') ORDER BY claimed_at, link, id
