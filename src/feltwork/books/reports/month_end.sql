-- Adjustments of a month above an amount that the jurisdiction names, the largest first [GEN-24].
SELECT * FROM (
SELECT entry.link, entry.number AS entry, entry.booked_at, told.fact ->> 'adjustment' AS adjustment,
       coalesce(told.fact ->> 'reason', '') AS reason, coalesce(told.fact ->> 'text', '') AS text,
       told.fact ->> 'evidence' AS evidence, coalesce(told.fact ->> 'award', '') AS award,
       coalesce(told.fact ->> 'pool', 'meter') AS pool, told.fact ->> 'level' AS level,
       (told.fact ->> 'before')::bigint AS before, (told.fact ->> 'after')::bigint AS after,
       coalesce((told.fact ->> 'after')::bigint - (told.fact ->> 'before')::bigint,
                (told.fact ->> 'to_meter')::bigint - (told.fact ->> 'seed')::bigint - (told.fact ->> 'reserve')::bigint) AS change,
       told.fact ->> 'by' AS asked_by, told.fact ->> 'approved_by' AS approved_by
  FROM books.entry, LATERAL (SELECT entry.fact::jsonb AS fact) AS told
 WHERE (entry.kind ^@ 'Adjusted.' OR entry.kind = 'Reversed')
   AND entry.booked_at >= %(since)s AND entry.booked_at < %(until)s
) AS listed
 WHERE abs(change) > %(above)s ORDER BY abs(change) DESC, link, entry
