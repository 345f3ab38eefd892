-- How a meter came to what it held before an entry: what it began with when it was last opened, won or put back.
WITH began AS (
  SELECT number, booked_at, kind FROM books.entry
   WHERE link = %(link)s AND number < %(entry)s
     AND (kind = 'Opened' OR kind IN ('Locked', 'Released') AND fact::jsonb ->> 'level' = %(level)s)
   ORDER BY number DESC LIMIT 1
)
SELECT began.number AS entry, began.booked_at, began.kind AS began_by,
       books.held_after(%(link)s, 'meter/' || %(link)s || '/' || %(level)s, began.number) AS began_with,
       books.held_after(%(link)s, 'meter/' || %(link)s || '/' || %(level)s, %(entry)s - 1) AS grew_to,
       %(entry)s - 1 - began.number AS entries_between
  FROM began
