-- A try that failed, and how long nobody may try again, if at all.
UPDATE books.person
   SET failed_tries = %(tries)s,
       locked_until = CASE WHEN %(locked)s THEN clock_timestamp() + make_interval(secs => %(seconds)s) END
 WHERE id = %(person)s
