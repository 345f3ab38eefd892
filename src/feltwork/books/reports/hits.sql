-- The last 25 hits of each link, the newest first [GEN-02].
SELECT * FROM (
  SELECT once.link, once.number AS entry, entry.booked_at, award.id AS award, award.level, award.hand,
         award.table_id AS "table", award.round, award.seat, award.from_meter + award.from_house AS amount,
         award.status, award.supervisor, award.executive,
         row_number() OVER (PARTITION BY once.link ORDER BY once.number DESC) AS place
    FROM books.once
    JOIN books.award ON award.link = once.link AND award.id = once.name
    JOIN books.entry ON entry.link = once.link AND entry.number = once.number
   WHERE once.what = 'settlement' AND once.kind = 'Confirmed'
) AS ranked WHERE place <= 25 ORDER BY link, place
