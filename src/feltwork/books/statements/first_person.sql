-- Since when anybody has had access.
SELECT min(registered_at) FROM books.person
