-- Rounds with wagers that are parked and not booked, as text: {[3,5),[7,8)}.
SELECT parked.table_id, parked.link, range_agg(int8range(parked.number, parked.number, '[]'))::text
  FROM books.parked LEFT JOIN books.numbered AS had USING (link, table_id)
 WHERE (had.booked IS NULL OR NOT had.booked @> parked.number) AND parked.round -> 'seats' <> '[]'
 GROUP BY 1, 2 ORDER BY 1, 2
