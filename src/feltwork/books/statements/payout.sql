-- The payout record of an award, with the lines of its check-list that are done.
SELECT cards, payee, patron, identity, steps, flags, withheld, written_by, written_at,
       (SELECT coalesce(jsonb_object_agg(step, jsonb_build_object('by', done_by, 'at', done_at, 'note', note)), '{}')
          FROM books.payout_step WHERE (link, award) = (payout.link, payout.award)) AS done
  FROM books.payout WHERE link = %s AND award = %s
