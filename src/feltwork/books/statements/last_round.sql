-- The last round of a table that the books know, booked or parked, on any of its links or on one.
SELECT greatest((SELECT max(upper(booked)) - 1 FROM books.numbered
                  WHERE table_id = %(table)s AND link = coalesce(%(link)s, link)),
                (SELECT max(number) FROM books.parked
                  WHERE table_id = %(table)s AND link = coalesce(%(link)s, link)), 0)
