-- Enrolments that wait to be used, the oldest first: of a person, or the one with an id.
SELECT enrolment.id, person, what, granted_by, approved_by
  FROM books.enrolment LEFT JOIN books.enrolled ON enrolled.enrolment = enrolment.id
 WHERE enrolled.enrolment IS NULL AND lapses_at > clock_timestamp()
   AND %(id)s IN ('', enrolment.id) AND %(person)s IN ('', person)
 ORDER BY granted_at
