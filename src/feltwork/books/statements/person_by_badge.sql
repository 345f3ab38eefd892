-- The person with a badge, locked while a try is counted.
SELECT id, name, role, pin_hash, password_hash, failed_tries,
       coalesce(locked_until > clock_timestamp(), false), active
  FROM books.person WHERE badge = %s FOR UPDATE
