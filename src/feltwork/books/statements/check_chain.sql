-- The first entry after the last check that is not what was hashed or does not follow the one before, if any.
WITH placed AS (
  SELECT number, previous, hash,
         coalesce(lag(number) OVER chain, %(number)s) AS number_before,
         coalesce(lag(hash) OVER chain, %(hash)s) AS hash_before,
         encode(sha256(convert_to(body, 'UTF8')), 'hex') AS body_hash,
         encode(sha256(convert_to(fact, 'UTF8')), 'hex') AS fact_hash,
         body::jsonb -> 'references' ->> 'fact' AS fact_named
    FROM books.entry WHERE link = %(link)s AND number > %(number)s
  WINDOW chain AS (ORDER BY number)
)
SELECT number FROM placed
 WHERE number <> number_before + 1 OR previous <> hash_before OR hash <> body_hash OR fact_hash <> fact_named
 ORDER BY number LIMIT 1
