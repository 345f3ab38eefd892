-- The version under which the round of an award was booked, and the entry that booked it.
SELECT version.body, version.fingerprint, round.entry, cardinality(round.seats)
  FROM books.award
  JOIN books.round ON round.link = award.link AND round.table_id = award.table_id AND round.number = award.round
  JOIN books.entry ON entry.link = round.link AND entry.number = round.entry
  JOIN books.version ON version.link = round.link AND version.fingerprint = entry.fact::jsonb ->> 'version'
 WHERE award.link = %s AND award.id = %s
