-- What the postings after the last check come to, the trays of tables drawn together, and the patrons of tables.
SELECT CASE WHEN posting ->> 0 ^@ 'tray/' THEN 'tray' WHEN posting ->> 0 ^@ 'patrons/' THEN 'patrons/' || link
            ELSE posting ->> 0 END, sum((posting -> 1)::bigint)::bigint
  FROM books.entry, jsonb_array_elements(body::jsonb -> 'postings') AS posting
 WHERE link = %s AND number > %s
 GROUP BY 1
