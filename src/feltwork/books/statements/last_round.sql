-- The last round of a table that the books know, booked or parked.
SELECT greatest(coalesce((SELECT upper(booked) - 1 FROM books.numbered WHERE table_id = %s), 0),
                coalesce((SELECT max(number) FROM books.parked WHERE table_id = %s), 0))
