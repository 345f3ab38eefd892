-- Malfunctions, by when the regulator had to hear of them, and when he did [WA-32].
SELECT incident.number, incident.link, incident.table_id AS "table", incident.what, incident.learned_at,
       incident.opened_by, incident.notify_by, notified.done_at AS notified_at, notified.done_by AS notified_by,
       notified.says AS notice, closed.done_at AS closed_at, closed.done_by AS closed_by, closed.says AS cause,
       coalesce(coalesce(notified.done_at, clock_timestamp()) > incident.notify_by, false) AS late
  FROM books.incident
  LEFT JOIN books.incident_step AS notified ON notified.incident = incident.number AND notified.step = 'notified'
  LEFT JOIN books.incident_step AS closed ON closed.incident = incident.number AND closed.step = 'closed'
 WHERE incident.learned_at >= %(since)s AND incident.learned_at < %(until)s
 ORDER BY incident.number
