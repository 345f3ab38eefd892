-- The last fact after which a meter may show less, among the newest entries.
SELECT entry.number, entry.kind
  FROM books.entry JOIN books.chain_tail AS tail USING (link)
 WHERE entry.link = %(link)s AND entry.number > tail.number - 200
   AND entry.kind IN ('Locked', 'Released', 'Misdealt', 'WagerReturned', 'Adjusted', 'Reversed', 'CapSet', 'Removed', 'Stopped')
 ORDER BY entry.number DESC LIMIT 1
