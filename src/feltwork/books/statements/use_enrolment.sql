-- An enrolment is used; whoever comes second finds it used.
INSERT INTO books.enrolled (enrolment, in_session_of) VALUES (%s, %s) ON CONFLICT DO NOTHING
