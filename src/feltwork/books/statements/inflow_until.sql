-- What every meter and reserve of a link had taken in by an entry, locks left out.
SELECT posting ->> 0, sum((posting -> 1)::bigint)::bigint
  FROM books.entry, jsonb_array_elements(body::jsonb -> 'postings') AS posting
 WHERE link = %s AND number <= %s AND kind NOT IN ('Locked', 'Released')
   AND (posting ->> 0 LIKE 'meter/%%' OR posting ->> 0 LIKE 'reserve/%%')
 GROUP BY 1 HAVING sum((posting -> 1)::bigint) <> 0 ORDER BY 1
