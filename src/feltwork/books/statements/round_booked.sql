-- A booked round, and the entry that booked it.
SELECT started_at, wager, seats, entry FROM books.round WHERE link = %s AND table_id = %s AND number = %s
