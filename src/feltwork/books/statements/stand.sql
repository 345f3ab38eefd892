-- The kept fold of a link after its last entry.
UPDATE books.standing SET number = %s, version = %s, state = %s WHERE link = %s
