-- What was paid in cash in a period, to whom, less what was held back; an award without a record stands for itself.
SELECT paid.link, once.name AS award, coalesce(payout.payee, 'award ' || once.name) AS payee,
       coalesce(payout.patron, '') AS patron,
       (paid.fact::jsonb ->> 'amount')::bigint - coalesce(payout.withheld, 0) AS amount,
       paid.booked_at AS paid_at, paid.fact::jsonb ->> 'by' AS paid_by
  FROM books.once
  JOIN books.entry AS paid ON paid.link = once.link AND paid.number = once.number
  LEFT JOIN books.payout ON payout.link = once.link AND payout.award = once.name
 WHERE once.what = 'payment' AND paid.fact::jsonb ->> 'form' = 'cash'
   AND paid.booked_at >= %(since)s AND paid.booked_at < %(until)s
 ORDER BY paid.booked_at, paid.link, paid.number
