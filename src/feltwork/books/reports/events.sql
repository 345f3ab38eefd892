-- Events by the database's clock, searched by date, device and code; without a device or a code, all of them [GL-08].
SELECT booked_at, link, device, code, about FROM (
  SELECT entry.booked_at, entry.link, coalesce(entry.fact::jsonb ->> 'table', '') AS device, entry.kind AS code,
         entry.fact::jsonb AS about
    FROM books.entry WHERE entry.booked_at >= %(since)s AND entry.booked_at < %(until)s
  UNION ALL
  SELECT booked_at, link, table_id, kind, fact
    FROM books.table_fact WHERE booked_at >= %(since)s AND booked_at < %(until)s
  UNION ALL
  SELECT booked_at, link, table_id, 'RoundBooked', jsonb_build_object('round', number, 'seats', seats)
    FROM books.round WHERE booked_at >= %(since)s AND booked_at < %(until)s
  UNION ALL
  SELECT parked_at, link, table_id, 'RoundParked', jsonb_build_object('round', number, 'problem', problem)
    FROM books.parked WHERE parked_at >= %(since)s AND parked_at < %(until)s
) AS told
 WHERE (%(table)s = '' OR device = %(table)s) AND (%(code)s = '' OR code = %(code)s)
 ORDER BY booked_at LIMIT 10000
