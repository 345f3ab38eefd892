-- What every account of a link held after an entry.
SELECT posting ->> 0, sum((posting -> 1)::bigint)::bigint
  FROM books.entry, jsonb_array_elements(body::jsonb -> 'postings') AS posting
 WHERE link = %s AND number <= %s
 GROUP BY 1 HAVING sum((posting -> 1)::bigint) <> 0 ORDER BY 1
