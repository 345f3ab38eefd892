-- The awards of the hand that an award was given for, with their links: itself first, then what the same hand won on
-- other jackpots of the layout.
SELECT other.link, other.id
  FROM books.award AS asked
  JOIN books.award AS other USING (table_id, round, seat)
 WHERE asked.id = %s AND (other.id = asked.id OR other.status IN ('claimed', 'confirmed', 'paid'))
 GROUP BY 1, 2
 ORDER BY bool_or(other.id = asked.id) DESC, 1, 2
