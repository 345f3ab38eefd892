-- The facts of the awards that were neither paid, refused nor reversed after an entry, in order.
SELECT entry.number, entry.fact
  FROM books.once AS claim
  JOIN books.entry ON entry.link = claim.link AND entry.kind <> 'Contributed'
   AND entry.body::jsonb -> 'references' ->> 'award' = claim.name AND entry.number <= %(number)s
 WHERE claim.link = %(link)s AND claim.what = 'claim' AND claim.number <= %(number)s
   AND NOT EXISTS (SELECT FROM books.once AS done
                    WHERE done.link = claim.link AND done.name = claim.name AND done.number <= %(number)s
                      AND done.kind IN ('Voided', 'Paid', 'Reversed')
                      AND done.what IN ('settlement', 'payment', 'reversal'))
 ORDER BY entry.number
