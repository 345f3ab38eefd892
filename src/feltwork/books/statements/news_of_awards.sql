-- What became of claims after the last entry that was told.
SELECT number, fact FROM books.entry
 WHERE link = %(link)s AND number > %(after)s
   AND kind = ANY ('{Claimed,Locked,Confirmed,Voided,Paid,Reversed}')
 ORDER BY number LIMIT %(most)s
