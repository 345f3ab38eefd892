-- Incidents with what became of them, the newest first; all of them or one.
SELECT incident.number, incident.link, incident.table_id AS "table", incident.what, incident.learned_at,
       incident.notify_by, incident.opened_by, notified.done_at AS notified_at, notified.says AS notice,
       closed.done_at AS closed_at, closed.says AS cause,
       coalesce(coalesce(notified.done_at, clock_timestamp()) > incident.notify_by, false) AS late
  FROM books.incident
  LEFT JOIN books.incident_step AS notified ON notified.incident = incident.number AND notified.step = 'notified'
  LEFT JOIN books.incident_step AS closed ON closed.incident = incident.number AND closed.step = 'closed'
 WHERE %(number)s IN (0, incident.number)
 ORDER BY incident.number DESC LIMIT 500
