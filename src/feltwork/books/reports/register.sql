-- The register: what each level displayed when each day ended, one line a day [GEN-27]. Days begin when the
-- period does.
WITH moved AS (
  SELECT entry.link, split_part(posting ->> 0, '/', 3) AS level, entry.booked_at, (posting -> 1)::bigint AS change
    FROM books.entry, jsonb_array_elements(body::jsonb -> 'postings') AS posting
   WHERE posting ->> 0 ^@ 'meter/' AND entry.booked_at < %(until)s
), days AS (
  SELECT begins, least(begins + interval '1 day', %(until)s::timestamptz) AS ends
    FROM generate_series(greatest(%(since)s::timestamptz, (SELECT min(booked_at) FROM moved)),
                         least(%(until)s::timestamptz, clock_timestamp()), interval '1 day') AS begins
)
SELECT days.begins AS day_begins, days.ends AS day_ends, moved.link, moved.level,
       sum(change)::bigint AS displayed,
       coalesce(sum(change) FILTER (WHERE moved.booked_at >= days.begins), 0)::bigint AS change
  FROM days JOIN moved ON moved.booked_at < days.ends
 WHERE days.begins < days.ends
 GROUP BY 1, 2, 3, 4 ORDER BY 1, 3, 4
