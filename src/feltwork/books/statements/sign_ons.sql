-- The sign-ons that are new to the reader, and those of the others that have ended before their time.
SELECT sign_on.id_hash, sign_on.person, person.name, sign_on.role, sign_on.table_id,
       (extract(epoch FROM least(sign_on.ends_at, sign_on.ended_at)) * 1000000)::bigint
  FROM books.sign_on JOIN books.person ON person.id = sign_on.person
 WHERE sign_on.id_hash = ANY (%(new)s) OR (sign_on.id_hash = ANY (%(known)s) AND sign_on.ended_at IS NOT NULL)
