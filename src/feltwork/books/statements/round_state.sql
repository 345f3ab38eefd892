-- A round of a table on a link, or its last one: how it started, under which version, whether it is over, and what
-- was said about it since.
WITH wanted AS (
  SELECT coalesce(%(number)s::bigint, (SELECT upper(booked) - 1 FROM books.numbered
                                        WHERE link = %(link)s AND table_id = %(table)s), 0) AS number
)
SELECT wanted.number, round.started_at, round.wager,
       books.locked_seats(%(link)s, %(table)s, wanted.number, round.seats),
       (SELECT entry.body::jsonb -> 'references' ->> 'version' FROM books.entry
         WHERE entry.link = %(link)s AND entry.number = round.entry),
       coalesce((SELECT booked @> wanted.number FROM books.ended
                  WHERE link = %(link)s AND table_id = %(table)s), false)
         OR EXISTS (SELECT FROM books.once WHERE link = %(link)s AND what = 'misdeal'
                       AND name = %(table)s || '/' || wanted.number),
       (SELECT coalesce(jsonb_agg(fact ORDER BY id), '[]') FROM books.table_fact
         WHERE link = %(link)s AND table_id = %(table)s AND table_fact.number = wanted.number
           AND NOT jsonb_exists(fact, 'step'))
  FROM wanted
  LEFT JOIN books.round ON round.link = %(link)s AND round.number = wanted.number AND round.table_id = %(table)s
