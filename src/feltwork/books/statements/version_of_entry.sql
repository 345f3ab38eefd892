-- The version that an entry of contributions was booked under.
SELECT fact::jsonb ->> 'version' FROM books.entry WHERE link = %s AND number = %s
