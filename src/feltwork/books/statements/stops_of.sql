-- Why a link was stopped, the last reason of each cause last.
SELECT fact::jsonb ->> 'cause', fact::jsonb ->> 'reason' FROM books.entry
 WHERE link = %s AND kind = 'Stopped' ORDER BY number
