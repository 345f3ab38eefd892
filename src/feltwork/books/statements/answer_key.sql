-- The challenge of a ticket, which nobody gets a second time.
UPDATE books.key_challenge AS asked SET answered_at = clock_timestamp()
  FROM books.person
 WHERE asked.ticket_hash = %s AND answered_at IS NULL AND lapses_at > clock_timestamp()
   AND person.id = asked.person AND person.active
RETURNING asked.person, person.name, person.role, asked.enrolment, asked.challenge, asked.place
