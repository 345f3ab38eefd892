-- A line of a check-list is done.
INSERT INTO books.payout_step (link, award, step, note, done_by) VALUES (%s, %s, %s, %s, %s) ON CONFLICT DO NOTHING
