-- Player funds of each link from the opening to the closing of a period, by what changed them, beside the bank as
-- it was last counted in the period; links with a difference come first. What the books hold beyond what their
-- entries explain must be nothing [WA-23, WA-06].
WITH moved AS (
  SELECT entry.link, entry.kind, entry.booked_at, sum((posting -> 1)::bigint) AS change
    FROM books.entry, jsonb_array_elements(body::jsonb -> 'postings') AS posting
   WHERE split_part(posting ->> 0, '/', 1) IN ('meter', 'reserve', 'pending', 'payable')
   GROUP BY entry.link, entry.number, entry.kind, entry.booked_at
), held AS (
  SELECT link, sum(amount) AS amount FROM books.balance
   WHERE split_part(account, '/', 1) IN ('meter', 'reserve', 'pending', 'payable') GROUP BY link
), drawn AS (
  SELECT link, sum(change) AS everything,
         coalesce(sum(change) FILTER (WHERE booked_at < %(since)s), 0) AS opening,
         coalesce(sum(change) FILTER (WHERE kind = 'Opened' AND inside), 0) AS opened,
         coalesce(sum(change) FILTER (WHERE kind IN ('Contributed', 'WagerAdded', 'WagerReturned') AND inside), 0) AS contributed,
         coalesce(sum(change) FILTER (WHERE kind = 'Misdealt' AND inside), 0) AS misdealt,
         coalesce(sum(change) FILTER (WHERE kind IN ('Locked', 'Released') AND inside), 0) AS seeds_and_house,
         coalesce(sum(change) FILTER (WHERE kind = 'Paid' AND inside), 0) AS paid,
         coalesce(sum(change) FILTER (WHERE kind = 'Reversed' AND inside), 0) AS reversed,
         coalesce(sum(change) FILTER (WHERE kind ^@ 'Adjusted.' AND inside), 0) AS adjusted,
         coalesce(sum(change) FILTER (WHERE kind IN ('Removed', 'Received') AND inside), 0) AS transferred,
         coalesce(sum(change) FILTER (WHERE booked_at < %(until)s), 0) AS closing
    FROM (SELECT *, booked_at >= %(since)s AND booked_at < %(until)s AS inside FROM moved) AS marked
   GROUP BY link
), bank AS (
  SELECT DISTINCT ON (link) link, booked_at AS counted_at, (fact::jsonb ->> 'bank_balance')::bigint AS balance,
         (fact::jsonb ->> 'bank_balance')::bigint - (fact::jsonb ->> 'required')::bigint AS difference
    FROM books.entry
   WHERE kind = 'FundsCounted' AND booked_at >= %(since)s AND booked_at < %(until)s ORDER BY link, number DESC
)
SELECT link, opening::bigint, opened::bigint, contributed::bigint, misdealt::bigint, seeds_and_house::bigint,
       paid::bigint, reversed::bigint, adjusted::bigint, transferred::bigint, closing::bigint,
       (closing - opening - opened - contributed - misdealt - seeds_and_house - paid - reversed - adjusted
        - transferred)::bigint AS unexplained,
       (coalesce(held.amount, 0) - everything)::bigint AS difference,
       bank.counted_at AS bank_counted_at, bank.balance AS bank_balance, bank.difference AS bank_difference
  FROM drawn LEFT JOIN held USING (link) LEFT JOIN bank USING (link)
 ORDER BY abs(coalesce(held.amount, 0) - everything) + abs(coalesce(bank.difference, 0)) DESC, link
