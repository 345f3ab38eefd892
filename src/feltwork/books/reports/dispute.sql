-- All that the books know of one round, in the order it was booked: for a patron who disagrees.
SELECT booked_at, what, about FROM (
  SELECT booked_at, 'round booked' AS what,
         jsonb_build_object('link', link, 'entry', entry, 'started_at', started_at, 'wager', wager, 'seats', seats)
           AS about
    FROM books.round WHERE table_id = %(table)s AND number = %(round)s
  UNION ALL
  SELECT booked_at, kind, fact FROM books.table_fact WHERE table_id = %(table)s AND number = %(round)s
  UNION ALL
  SELECT entry.booked_at, entry.kind,
         entry.fact::jsonb || jsonb_build_object('entry', entry.number, 'hash', entry.hash)
    FROM books.award JOIN books.entry
      ON entry.link = award.link AND entry.body::jsonb -> 'references' ->> 'award' = award.id
     AND entry.kind <> 'Contributed'
   WHERE award.table_id = %(table)s AND award.round = %(round)s
  UNION ALL
  SELECT entry.booked_at, entry.kind,
         entry.fact::jsonb || jsonb_build_object('entry', entry.number, 'hash', entry.hash)
    FROM books.once JOIN books.entry USING (link, number)
   WHERE once.what = 'misdeal' AND once.name = %(table)s || '/' || %(round)s
  UNION ALL
  SELECT entry.booked_at, entry.kind,
         entry.fact::jsonb || jsonb_build_object('entry', entry.number, 'hash', entry.hash)
    FROM books.correction JOIN books.entry
      ON entry.link = correction.link AND entry.number = correction.entry
   WHERE correction.table_id = %(table)s AND correction.number = %(round)s
  UNION ALL
  SELECT booked_at, 'round ended',
         jsonb_build_object('link', link, 'entry', entry, 'ended_at', ended_at, 'fixed', fixed, 'envy', envy)
    FROM books.round_end WHERE table_id = %(table)s AND number = %(round)s
  UNION ALL
  SELECT parked_at, 'round parked', jsonb_build_object('round', round, 'problem', problem)
    FROM books.parked WHERE table_id = %(table)s AND number = %(round)s
) AS told ORDER BY booked_at
