-- Everybody with a badge, or one of them; secrets are only told to exist.
SELECT person.id, person.name, person.role, coalesce(person.badge, '') AS badge, person.active,
       coalesce(person.locked_until > clock_timestamp(), false) AS locked,
       person.pin_hash IS NOT NULL AS has_pin, person.password_hash IS NOT NULL AS has_password,
       ARRAY(SELECT key.id FROM books.security_key AS key
              WHERE key.person = person.id
                AND NOT EXISTS (SELECT FROM books.security_key_taken WHERE security_key_taken.key = key.id)
              ORDER BY key.registered_at) AS keys
  FROM books.person
 WHERE %(badge)s IN ('', person.badge) AND %(id)s IN ('', person.id)
 ORDER BY person.id
