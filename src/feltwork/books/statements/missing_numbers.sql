-- Numbers that tables have left out, as text: {[3,5),[7,8)}.
SELECT table_id, numbers::text FROM books.missing ORDER BY table_id
