-- name: lock_training
-- One command of a trainee at a time.
SELECT pg_advisory_xact_lock(hashtextextended('training/' || %s, 0))

-- name: issue_exercise
-- Record an exercise that was dealt to a trainee.
INSERT INTO books.training_exercise (person, course, seed, questions) VALUES (%s, %s, %s, %s) RETURNING number

-- name: training_exercise
-- An exercise with the questions that are settled.
SELECT exercise.number, exercise.person, exercise.course, exercise.seed, exercise.questions,
       (SELECT count(*) FROM books.training_answer AS answer
         WHERE answer.exercise = exercise.number AND settled) AS place
  FROM books.training_exercise AS exercise
 WHERE exercise.number = %s

-- name: last_exercise
-- The last exercise of a trainee in a course.
SELECT max(number) FROM books.training_exercise WHERE person = %s AND course = %s

-- name: answer_exercise
-- Record a graded answer.
INSERT INTO books.training_answer (exercise, place, answer, correct, settled) VALUES (%s, %s, %s, %s, %s) RETURNING number

-- name: newest_answers
-- The newest answers of a trainee in a course up to one of them: which were correct, the newest first.
SELECT answer.correct
  FROM books.training_answer AS answer JOIN books.training_exercise AS exercise ON exercise.number = answer.exercise
 WHERE exercise.person = %(person)s AND exercise.course = %(course)s AND answer.number <= %(until)s
 ORDER BY answer.number DESC LIMIT %(limit)s

-- name: complete_course
-- Record that a trainee has completed a course, once.
INSERT INTO books.training_completion (person, course, last_answer, answers, correct, rules)
SELECT person, course, %(last_answer)s, answers, correct, %(rules)s
  FROM books.training_progress WHERE person = %(person)s AND course = %(course)s
ON CONFLICT DO NOTHING

-- name: training_completion
-- A completed course.
SELECT completion.number, completion.person, person.name, completion.course, completion.last_answer,
       completion.answers, completion.correct, completion.rules, completion.completed_at
  FROM books.training_completion AS completion JOIN books.person ON person.id = completion.person
 WHERE completion.number = %s

-- name: training_progress
-- The progress of every trainee, or of one.
SELECT progress.person, person.name, course, exercises, answers, correct, in_a_row, last_answered_at, completion,
       completed_at
  FROM books.training_progress AS progress JOIN books.person ON person.id = progress.person
 WHERE %(person)s IN ('', progress.person)
 ORDER BY person.name, progress.person, course
