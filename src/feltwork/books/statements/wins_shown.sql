-- The last wins whose amount has left its meter, the newest first: what displays announce.
SELECT id, table_id, seat, hand, level, from_meter + from_house, status, claimed_at
  FROM books.award
 WHERE link = %s AND locked AND status IN ('claimed', 'confirmed', 'paid')
 ORDER BY place DESC LIMIT 4
