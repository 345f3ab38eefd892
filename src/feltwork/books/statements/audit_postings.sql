-- Entries of a period whose postings do not balance, or take a way that is not lawful.
WITH drawn AS (
  SELECT entry.link, entry.number, entry.kind, found.account_kind, found.amount, found.gives, found.gets
    FROM books.entry
   CROSS JOIN LATERAL (
     SELECT split_part(posting ->> 0, '/', 1) AS account_kind, sum((posting -> 1)::bigint) AS amount,
            bool_or((posting -> 1)::bigint < 0) AS gives, bool_or((posting -> 1)::bigint > 0) AS gets
       FROM jsonb_array_elements(body::jsonb -> 'postings') AS posting GROUP BY 1) AS found
   WHERE booked_at >= %(since)s AND booked_at < %(until)s
)
SELECT link, number,
       CASE WHEN sum(amount) <> 0 THEN 'its postings do not balance'
            ELSE min(drawn.kind) || ' may not move money this way' END
  FROM drawn LEFT JOIN books.lawful AS way USING (kind, account_kind)
 GROUP BY link, number
HAVING sum(amount) <> 0
    OR bool_or(drawn.gives AND NOT coalesce(way.gives, false))
    OR bool_or(drawn.gets AND NOT coalesce(way.gets, false))
