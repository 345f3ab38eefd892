-- Payout records: the win, who verified it, the payee, the form of payment, the check-list and the tax
-- record; what is not deducted from gross revenue says so [WA-24, GEN-25].
SELECT award.link, award.id AS award, award.table_id AS "table", award.round, award.seat, award.hand, payout.cards,
       payout.amount, award.status, award.claimed_by, award.supervisor, award.executive, payout.payee, payout.patron,
       payout.withheld, payout.flags, payout.flags @> '[{"name": "not_deducted"}]' AS not_deducted, payout.steps,
       (SELECT coalesce(jsonb_object_agg(step, jsonb_build_object('by', done_by, 'at', done_at, 'note', note)), '{}')
          FROM books.payout_step WHERE (link, award) = (payout.link, payout.award)) AS done,
       payout.written_by, payout.written_at, coalesce(paid.fact::jsonb ->> 'form', '') AS form,
       coalesce(paid.fact::jsonb ->> 'by', '') AS paid_by, paid.booked_at AS paid_at
  FROM books.payout
  JOIN books.award ON award.link = payout.link AND award.id = payout.award
  LEFT JOIN books.once ON once.link = award.link AND once.what = 'payment' AND once.name = award.id
  LEFT JOIN books.entry AS paid ON paid.link = once.link AND paid.number = once.number
 WHERE payout.written_at >= %(since)s AND payout.written_at < %(until)s
 ORDER BY payout.written_at
