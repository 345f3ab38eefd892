-- The opening amount of a level and every change of it in a period, explained; contributions between two other
-- changes are one line. A house jackpot has the amounts that it posted [WA-08].
WITH moved AS (
  SELECT entry.number, entry.booked_at, entry.kind, (posting -> 1)::bigint AS change,
         CASE WHEN entry.kind = 'Contributed' THEN NULL ELSE entry.fact::jsonb END AS fact
    FROM books.entry, jsonb_array_elements(body::jsonb -> 'postings') AS posting
   WHERE entry.link = %(link)s AND posting ->> 0 = %(pool)s || '/' || %(link)s || '/' || %(level)s
     AND entry.booked_at < %(until)s
  UNION ALL
  SELECT number, booked_at, kind, (fact::jsonb ->> 'after')::bigint - (fact::jsonb ->> 'before')::bigint, fact::jsonb
    FROM books.entry
   WHERE link = %(link)s AND kind = 'AmountSet' AND %(pool)s = 'meter' AND booked_at < %(until)s
     AND fact::jsonb ->> 'level' = %(level)s
), lines AS (
  SELECT *, count(*) FILTER (WHERE kind <> 'Contributed') OVER (ORDER BY number) AS island
    FROM moved WHERE booked_at >= %(since)s
), drawn AS (
  SELECT min(number) AS first_entry, max(number) AS last_entry, max(booked_at) AS booked_at, kind,
         sum(change)::bigint AS change, count(*) AS entries, (array_agg(fact))[1] AS fact
    FROM lines GROUP BY island, kind
), opening AS (
  SELECT coalesce(sum(change), 0)::bigint AS amount FROM moved WHERE booked_at < %(since)s
)
SELECT 0 AS first_entry, 0 AS last_entry, NULL::timestamptz AS booked_at, 'opening amount' AS what,
       NULL::bigint AS change, amount AS after, '' AS explanation, '' AS people
  FROM opening
UNION ALL
SELECT first_entry, last_entry, booked_at, kind, change,
       (opening.amount + sum(change) OVER (ORDER BY first_entry))::bigint,
       CASE WHEN kind = 'Contributed' THEN entries || ' batches of rounds'
            ELSE concat_ws('; ', 'award ' || (fact ->> 'award'), 'adjustment ' || (fact ->> 'adjustment'),
                           fact ->> 'reason', fact ->> 'text', fact ->> 'evidence',
                           'round ' || (fact ->> 'table') || '/' || (fact ->> 'round')) END,
       concat_ws(', ', fact ->> 'by', fact ->> 'approved_by', fact ->> 'supervisor', nullif(fact ->> 'executive', ''))
  FROM drawn, opening
 ORDER BY first_entry
