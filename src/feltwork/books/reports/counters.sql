-- What each level shows on demand: its parameters, what it holds, and counters that nobody can set back
-- [GEN-02, GEN-13, GL-01].
SELECT standing.link, level ->> 'name' AS level,
       coalesce((standing.state #>> ARRAY['amounts', level ->> 'name'])::bigint, meter.amount, 0) AS current,
       coalesce(reserve.amount, 0) AS reserve,
       (level ->> 'seed')::bigint AS seed, (level ->> 'contribution')::integer AS contribution_basis_points,
       (level ->> 'reserve')::integer AS reserve_basis_points,
       nullif(coalesce((standing.state #>> ARRAY['caps', level ->> 'name'])::bigint, -1), -1) AS cap,
       (counted ->> 'wagers')::bigint AS wagers, (counted ->> 'wagered')::bigint AS wagered,
       (counted ->> 'accrued')::bigint AS accrued, (counted ->> 'reserved')::bigint AS reserved,
       (counted ->> 'overflow')::bigint AS overflow, (counted ->> 'hits')::bigint AS hits,
       (counted ->> 'won')::bigint AS won, (counted ->> 'paid')::bigint AS paid,
       (counted ->> 'returned')::bigint AS returned, (counted ->> 'reversed')::bigint AS reversed
  FROM books.standing
  JOIN books.version ON version.link = standing.link AND version.fingerprint = standing.version
  CROSS JOIN LATERAL jsonb_array_elements(version.body::jsonb -> 'levels') AS level
  CROSS JOIN LATERAL (SELECT standing.state -> 'counters' -> (level ->> 'name') AS counted) AS kept
  LEFT JOIN books.balance AS meter
    ON meter.link = standing.link AND meter.account = 'meter/' || standing.link || '/' || (level ->> 'name')
  LEFT JOIN books.balance AS reserve
    ON reserve.link = standing.link AND reserve.account = 'reserve/' || standing.link || '/' || (level ->> 'name')
 ORDER BY standing.link, level ->> 'name'
