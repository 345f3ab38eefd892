-- What set the version and the caps of a link, up to an entry, in order.
SELECT fact FROM books.entry
 WHERE link = %s AND number <= %s AND kind IN ('Opened', 'Reconfigured', 'CapSet') ORDER BY number
