-- One win for accounting: what was claimed, confirmed and paid, by whom, and what the meter held before and after
-- it left [LT-15, WA-24].
WITH steps AS (
  SELECT entry.number, entry.booked_at, entry.kind, entry.fact::jsonb AS fact, entry.body::jsonb AS body
    FROM books.entry
   WHERE entry.link = %(link)s AND entry.body::jsonb -> 'references' ->> 'award' = %(award)s
     AND entry.kind IN ('Claimed', 'Locked', 'Released', 'Confirmed', 'Voided', 'Paid', 'Reversed')
)
SELECT award.link, award.id AS award, award.table_id AS "table", award.round, award.seat, award.hand, award.level,
       award.status, award.from_meter, award.from_house, award.from_meter + award.from_house AS amount,
       award.seed AS restart_seed, award.reserve AS restart_reserve, award.claimed_by, award.supervisor,
       award.executive, steps.number AS entry, steps.booked_at, steps.kind AS step,
       coalesce(steps.fact ->> 'form', '') AS form,
       coalesce(steps.fact ->> 'by', steps.fact ->> 'supervisor', '') AS person,
       books.held_after(award.link, 'meter/' || award.link || '/' || award.level, steps.number - 1) AS meter_before,
       books.held_after(award.link, 'meter/' || award.link || '/' || award.level, steps.number) AS meter_after
  FROM books.award JOIN steps ON true
 WHERE award.link = %(link)s AND award.id = %(award)s
 ORDER BY steps.number
