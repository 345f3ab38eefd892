-- The payout record of an award; there is one.
INSERT INTO books.payout (link, award, amount, cards, payee, patron, identity, steps, flags, withheld, written_by)
VALUES (%(link)s, %(award)s, %(amount)s, %(cards)s, %(payee)s, %(patron)s, %(identity)s, %(steps)s, %(flags)s, %(withheld)s,
        %(by)s)
ON CONFLICT DO NOTHING
