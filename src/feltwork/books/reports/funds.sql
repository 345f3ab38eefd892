-- What must be in the bank for each link, what has grown since the last count, and why it is stopped [WA-18].
SELECT link.id AS link,
       coalesce(sum(amount) FILTER (WHERE account ^@ 'meter/'), 0)::bigint AS displayed,
       coalesce(sum(amount) FILTER (WHERE account ^@ 'reserve/'), 0)::bigint AS not_displayed,
       coalesce(sum(amount) FILTER (WHERE account ^@ 'pending/'), 0)::bigint AS pending,
       coalesce(sum(amount) FILTER (WHERE account ^@ 'payable/'), 0)::bigint AS payable,
       coalesce(sum(amount), 0)::bigint AS required,
       (coalesce(sum(amount), 0) - (standing.state ->> 'funds_at_count')::bigint)::bigint AS accrued_since_count,
       counted.at AS counted_at, (counted.fact ->> 'bank_balance')::bigint AS bank_balance,
       ((counted.fact ->> 'bank_balance')::bigint - (counted.fact ->> 'required')::bigint) AS over_at_count,
       coalesce((SELECT string_agg(cause, ', ') FROM jsonb_object_keys(standing.state -> 'stops') AS cause), '')
         AS stopped_by
  FROM books.link
  JOIN books.standing ON standing.link = link.id
  LEFT JOIN books.balance ON balance.link = link.id
   AND split_part(account, '/', 1) IN ('meter', 'reserve', 'pending', 'payable')
  LEFT JOIN LATERAL (
    SELECT entry.booked_at AS at, entry.fact::jsonb AS fact FROM books.entry
     WHERE entry.link = link.id AND kind = 'FundsCounted' ORDER BY number DESC LIMIT 1) AS counted ON true
 GROUP BY link.id, standing.state, counted.at, counted.fact
 ORDER BY link.id
