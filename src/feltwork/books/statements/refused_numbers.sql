-- Rounds that are parked and not booked, as text: {[3,5),[7,8)}.
SELECT parked.table_id, range_agg(int8range(parked.number, parked.number, '[]'))::text
  FROM books.parked LEFT JOIN books.numbered AS had USING (table_id)
 WHERE had.booked IS NULL OR NOT had.booked @> parked.number
 GROUP BY 1 ORDER BY 1
