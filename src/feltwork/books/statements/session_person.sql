-- Who a token is, while its session lasts.
SELECT person.id, person.name, person.role, session.place, session.proof
  FROM books.session JOIN books.person ON person.id = session.person
 WHERE session.token_hash = %s AND session.ended_at IS NULL AND session.ends_at > clock_timestamp()
   AND person.active
