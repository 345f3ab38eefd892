-- Who some badges are.
SELECT id, name, role, badge FROM books.person WHERE badge = ANY(%s) AND active ORDER BY role, name
