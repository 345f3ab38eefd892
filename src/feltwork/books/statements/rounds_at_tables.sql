-- The last round of every table of some links that somebody deals at a screen, or has pressed a button in, and its
-- phase; nobody waits for it.
SELECT round.link, last.table_id, last.number,
       CASE WHEN coalesce(ended.booked @> last.number, false)
              OR EXISTS (SELECT FROM books.once WHERE once.link = round.link AND what = 'misdeal'
                            AND name = last.table_id || '/' || last.number) THEN 'idle'
            WHEN EXISTS (SELECT FROM books.award WHERE award.link = last.link AND award.table_id = last.table_id
                            AND award.round = last.number AND award.status = 'claimed') THEN 'claimed'
            ELSE 'playing' END
  FROM (SELECT link, table_id, upper(booked) - 1 AS number FROM books.numbered WHERE link = ANY (%s)) AS last
  JOIN books.round ON round.number = last.number AND round.table_id = last.table_id AND round.link = last.link
  LEFT JOIN books.ended ON ended.link = last.link AND ended.table_id = last.table_id
 WHERE EXISTS (SELECT FROM books.table_fact
                WHERE table_fact.link = last.link AND table_fact.table_id = last.table_id
                  AND table_fact.number = last.number)
 ORDER BY last.table_id
