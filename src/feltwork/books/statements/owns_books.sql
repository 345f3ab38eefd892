-- Whether the login owns the schema of the books, or is a member of who does.
SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = 'books'
