-- Seats that were corrected within the last hours, the newest first: what the pit is shown.
SELECT correction.link, table_id, correction.number, seat, wagered, entry.fact::jsonb ->> 'by', entry.at
  FROM books.correction JOIN books.entry ON entry.link = correction.link AND entry.number = correction.entry
 WHERE correction.booked_at > statement_timestamp() - interval '1 hour'
 ORDER BY correction.booked_at DESC LIMIT 20
