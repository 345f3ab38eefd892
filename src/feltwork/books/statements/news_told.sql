-- The last entry of a link that was told; it never goes back.
INSERT INTO books.news AS had (link, number) VALUES (%s, %s)
ON CONFLICT (link) DO UPDATE SET number = excluded.number WHERE had.number < excluded.number
