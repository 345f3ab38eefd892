-- A key, whose it is, and whether it was taken away.
SELECT key.person, key.public_key, taken.key IS NOT NULL
  FROM books.security_key AS key LEFT JOIN books.security_key_taken AS taken ON taken.key = key.id
 WHERE key.id = %s
