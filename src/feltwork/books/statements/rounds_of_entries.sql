-- What rounds say for themselves, for each entry that booked some: the wagers and numbers of each table.
SELECT entry, table_id, sum(cardinality(seats))::bigint AS wagers, min(wager), max(wager),
       range_agg(int8range(number, number, '[]'))::text AS numbers
  FROM books.round WHERE link = %s GROUP BY entry, table_id ORDER BY entry, table_id
