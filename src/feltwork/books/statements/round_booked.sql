-- A booked round with its seats as they were corrected, and the entry that booked it.
SELECT started_at, wager, books.locked_seats(link, table_id, number, seats), entry
  FROM books.round WHERE link = %s AND table_id = %s AND number = %s
