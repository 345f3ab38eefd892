-- Numbers that tables have left out on a link, as text: {[3,5),[7,8)}.
SELECT table_id, link, range_agg(int8range(first, last, '[]'))::text FROM books.gap GROUP BY 1, 2 ORDER BY 1, 2
