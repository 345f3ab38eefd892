-- The number of the floor that was registered last.
SELECT max(number) FROM books.floor
