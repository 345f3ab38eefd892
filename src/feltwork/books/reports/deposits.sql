-- The weekly deposit report: for each link and week what was held for players when it began, what it grew by,
-- what the bank must hold at its end, and what the last count of the week found [WA-18]. Weeks begin when the
-- period does.
WITH moved AS (
  SELECT entry.link, entry.booked_at, (posting -> 1)::bigint AS change
    FROM books.entry, jsonb_array_elements(body::jsonb -> 'postings') AS posting
   WHERE split_part(posting ->> 0, '/', 1) IN ('meter', 'reserve', 'pending', 'payable')
     AND entry.booked_at < %(until)s
), weeks AS (
  SELECT begins, least(begins + interval '7 days', %(until)s::timestamptz) AS ends
    FROM generate_series(greatest(%(since)s::timestamptz, (SELECT min(booked_at) FROM moved)),
                         least(%(until)s::timestamptz, clock_timestamp()), interval '7 days') AS begins
), held AS (
  SELECT weeks.begins, weeks.ends, moved.link,
         coalesce(sum(change) FILTER (WHERE moved.booked_at < weeks.begins), 0)::bigint AS opening,
         coalesce(sum(change) FILTER (WHERE moved.booked_at >= weeks.begins), 0)::bigint AS accrued,
         sum(change)::bigint AS required
    FROM weeks JOIN moved ON moved.booked_at < weeks.ends
   WHERE weeks.begins < weeks.ends GROUP BY 1, 2, 3
)
SELECT held.begins AS week_begins, held.ends AS week_ends, held.link, held.opening, held.accrued, held.required,
       counted.booked_at AS counted_at, (counted.fact ->> 'bank_balance')::bigint AS bank_balance,
       ((counted.fact ->> 'bank_balance')::bigint - (counted.fact ->> 'required')::bigint) AS over_at_count,
       coalesce(((counted.fact ->> 'bank_balance')::bigint < (counted.fact ->> 'required')::bigint), true)
         AS deposit_due
  FROM held LEFT JOIN LATERAL (
    SELECT entry.booked_at, entry.fact::jsonb AS fact FROM books.entry
     WHERE entry.link = held.link AND kind = 'FundsCounted'
       AND entry.booked_at >= held.begins AND entry.booked_at < held.ends
     ORDER BY number DESC LIMIT 1) AS counted ON true
 ORDER BY 1, 3
