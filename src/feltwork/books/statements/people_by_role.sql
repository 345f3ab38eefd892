-- Everybody with a badge in some roles, who works here now.
SELECT id, name, role, badge FROM books.person
 WHERE role = ANY(%s) AND badge IS NOT NULL AND active ORDER BY role DESC, name
