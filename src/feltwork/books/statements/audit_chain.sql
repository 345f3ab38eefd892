-- Entries of a period that are not what was hashed, do not follow the one before, or are gone from their place.
WITH placed AS MATERIALIZED (
  SELECT link, number, previous, hash, at, kind, body::jsonb AS parsed,
         lag(number) OVER chain AS number_before, lag(hash) OVER chain AS hash_before,
         encode(sha256(convert_to(body, 'UTF8')), 'hex') AS body_hash,
         encode(sha256(convert_to(fact, 'UTF8')), 'hex') AS fact_hash
    FROM books.entry WHERE booked_at >= %(since)s AND booked_at < %(until)s
  WINDOW chain AS (PARTITION BY link ORDER BY number)
), checked AS (
  SELECT link, number, CASE
           WHEN number <> coalesce(number_before, number - 1) + 1 THEN 'the entries before it are missing'
           WHEN previous <> coalesce(hash_before, previous) THEN 'it does not follow the entry before it'
           WHEN hash <> body_hash THEN 'its content is not what was hashed'
           WHEN (link, number, previous, at, kind) <> (parsed ->> 'link', (parsed ->> 'number')::bigint,
                 parsed ->> 'previous', (parsed ->> 'at')::bigint, parsed ->> 'kind')
             THEN 'its columns are not what was hashed'
           WHEN fact_hash <> parsed -> 'references' ->> 'fact' THEN 'its fact is not the one that was hashed'
         END AS what
    FROM placed
)
(SELECT DISTINCT ON (link) link, number, what FROM checked WHERE what IS NOT NULL ORDER BY link, number)
UNION ALL
SELECT first.link, first.number, 'it does not follow the last entry of the period before'
  FROM (SELECT DISTINCT ON (link) link, number, previous FROM placed ORDER BY link, number) AS first
 WHERE first.number > 1 AND NOT EXISTS (
   SELECT FROM books.entry AS before
    WHERE before.link = first.link AND before.number = first.number - 1 AND before.hash = first.previous)
UNION ALL
SELECT last.link, last.number + 1, 'the chain goes on elsewhere than here'
  FROM (SELECT DISTINCT ON (link) link, number, hash FROM placed ORDER BY link, number DESC) AS last
  JOIN books.chain_tail AS tail ON tail.link = last.link
 WHERE CASE WHEN tail.number = last.number THEN tail.hash <> last.hash ELSE NOT EXISTS (
         SELECT FROM books.entry AS after
          WHERE after.link = last.link AND after.number = last.number + 1 AND after.previous = last.hash) END
