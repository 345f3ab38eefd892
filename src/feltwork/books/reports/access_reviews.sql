-- Reviews of access: who went through everybody, when, and the list of users and their functions then [TR-03].
SELECT number, reviewed_at, reviewed_by, says, jsonb_array_length(people) AS users, people
  FROM books.access_review
 WHERE reviewed_at >= %(since)s AND reviewed_at < %(until)s
 ORDER BY number
