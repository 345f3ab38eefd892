-- Numbers that tables have left out: rounds that are still on their way, or lost [GL-12].
SELECT link, table_id AS "table", first, last, last - first + 1 AS rounds FROM books.gap ORDER BY link, table_id, first
