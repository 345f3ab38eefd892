-- What set the version, the caps and the posted amounts of a link, up to an entry, in order.
SELECT fact FROM books.entry
 WHERE link = %s AND number <= %s AND kind IN ('Opened', 'Reconfigured', 'CapSet', 'AmountSet') ORDER BY number
