-- name: clear_alarm
-- Clear an alarm.
UPDATE books.alarm SET cleared_at = clock_timestamp(), cleared_by = %s
 WHERE kind = %s AND place = %s AND cleared_at IS NULL
RETURNING details

-- name: end_installation
-- Record the outcome of an installation, once.
INSERT INTO books.installation_end (installation, outcome, says, ended_by) VALUES (%s, %s, %s, %s)
ON CONFLICT DO NOTHING

-- name: incidents
-- Incidents with their steps, newest first; all or one.
SELECT incident.number, incident.link, incident.table_id AS "table", incident.what, incident.learned_at,
       incident.notify_by, incident.opened_by, notified.done_at AS notified_at, notified.says AS notice,
       closed.done_at AS closed_at, closed.says AS cause,
       coalesce(coalesce(notified.done_at, clock_timestamp()) > incident.notify_by, false) AS late
  FROM books.incident
  LEFT JOIN books.incident_step AS notified ON notified.incident = incident.number AND notified.step = 'notified'
  LEFT JOIN books.incident_step AS closed ON closed.incident = incident.number AND closed.step = 'closed'
 WHERE %(number)s IN (0, incident.number)
 ORDER BY incident.number DESC LIMIT 500

-- name: installations
-- Installations with their outcome, newest first; all or one.
SELECT installation.number, installation.what, installation.begins_at, installation.notified_at, installation.notice,
       installation.planned_by, installation.planned_at, ended.outcome, ended.says, ended.ended_by, ended.ended_at
  FROM books.installation LEFT JOIN books.installation_end AS ended ON ended.installation = installation.number
 WHERE %(number)s IN (0, installation.number)
 ORDER BY installation.number DESC LIMIT 500

-- name: last_alarms
-- All open alarms, then the last cleared ones with who cleared them.
(SELECT kind, place, details, raised_at, cleared_at, cleared_by FROM books.alarm
  WHERE cleared_at IS NULL ORDER BY id DESC)
UNION ALL
(SELECT kind, place, details, raised_at, cleared_at, cleared_by FROM books.alarm
  WHERE cleared_at IS NOT NULL ORDER BY id DESC LIMIT %s)

-- name: missing_numbers
-- Missing round numbers per table and link, as text: {[3,5),[7,8)}.
SELECT table_id, link, range_agg(int8range(first, last, '[]'))::text FROM books.gap GROUP BY 1, 2 ORDER BY 1, 2

-- name: open_alarms
-- Open alarms, newest first.
SELECT kind, place, details, raised_at FROM books.alarm WHERE cleared_at IS NULL ORDER BY id DESC

-- name: open_incident
-- Record a malfunction.
INSERT INTO books.incident (link, table_id, what, learned_at, notify_by, opened_by)
VALUES (%(link)s, %(table)s, %(what)s, %(learned_at)s, %(notify_by)s, %(by)s) RETURNING number

-- name: plan_installation
-- Record a planned installation and its notice.
INSERT INTO books.installation (what, begins_at, notified_at, notice, planned_by)
VALUES (%(what)s, %(begins_at)s, %(notified_at)s, %(notice)s, %(by)s) RETURNING number

-- name: raise_alarm
-- Raise an alarm or update the open one; no row where nothing changed.
INSERT INTO books.alarm AS had (kind, place, details) VALUES (%s, %s, %s)
ON CONFLICT (kind, place) WHERE cleared_at IS NULL DO UPDATE SET details = excluded.details
 WHERE had.details <> excluded.details

-- name: refused_numbers
-- Rounds with wagers that are parked, and neither booked nor dismissed, as text: {[3,5),[7,8)}.
SELECT parked.table_id, parked.link, range_agg(int8range(parked.number, parked.number, '[]'))::text
  FROM books.parked LEFT JOIN books.booked_rounds AS had USING (link, table_id)
 WHERE (had.booked IS NULL OR NOT had.booked @> parked.number) AND parked.round -> 'seats' <> '[]'
   AND NOT EXISTS (SELECT FROM books.parked_answer WHERE parked_answer.parked = parked.id)
 GROUP BY 1, 2 ORDER BY 1, 2

-- name: step_incident
-- Record that the regulator was notified or the incident closed, each once.
INSERT INTO books.incident_step (incident, step, says, done_by) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING

-- name: record_notification
-- Record an event once; no row where it is recorded already.
INSERT INTO books.notification (event, subject, title, text) VALUES (%s, %s, %s, %s)
ON CONFLICT DO NOTHING RETURNING number

-- name: record_delivery
-- Record that somebody is to be told, before anything is sent.
INSERT INTO books.notification_delivery (notification, recipient, escalated_from) VALUES (%s, %s, %s)
ON CONFLICT DO NOTHING

-- name: waiting_deliveries
-- Deliveries of the last day of what nobody has acknowledged, the oldest first.
SELECT delivery.notification, notification.event, notification.subject, notification.title, notification.text,
       delivery.recipient, delivery.recorded_at, delivery.tries, delivery.sent_at,
       delivery.sent_at IS NULL AND delivery.next_try_at <= clock_timestamp() AS is_due
  FROM books.notification_delivery AS delivery
  JOIN books.notification ON notification.number = delivery.notification
 WHERE delivery.recorded_at > clock_timestamp() - interval '1 day'
   AND NOT EXISTS (SELECT FROM books.notification_acknowledgment AS acknowledged
                    WHERE acknowledged.notification = delivery.notification)
 ORDER BY delivery.recorded_at

-- name: begin_try
-- Take a delivery, so that no other service sends it; no row where another one has.
UPDATE books.notification_delivery
   SET tries = tries + 1, next_try_at = clock_timestamp() + make_interval(secs => %(seconds)s)
 WHERE notification = %(notification)s AND recipient = %(recipient)s AND sent_at IS NULL
   AND next_try_at <= clock_timestamp() RETURNING tries

-- name: end_try
-- Record the outcome of a try; a failed one is repeated after some seconds.
UPDATE books.notification_delivery
   SET problem = %(problem)s, sent_at = CASE WHEN %(problem)s = '' THEN clock_timestamp() END,
       next_try_at = clock_timestamp() + make_interval(secs => %(seconds)s)
 WHERE notification = %(notification)s AND recipient = %(recipient)s

-- name: acknowledge_notification
-- Record who acknowledged a notification; the first one counts.
INSERT INTO books.notification_acknowledgment (notification, person)
SELECT number, %(person)s FROM books.notification WHERE number = %(number)s ON CONFLICT DO NOTHING

-- name: notifications
-- The last notifications with their deliveries and acknowledgment, the newest first; all or one.
SELECT notification.number, notification.event, notification.title, notification.text, notification.recorded_at,
       coalesce(acknowledged.person, '') AS acknowledged_by, acknowledged.acknowledged_at,
       (SELECT coalesce(jsonb_agg(jsonb_build_object(
                 'recipient', recipient, 'escalated_from', escalated_from, 'tries', tries, 'sent_at', sent_at,
                 'problem', problem) ORDER BY recorded_at, recipient), '[]')
          FROM books.notification_delivery AS delivery WHERE delivery.notification = notification.number) AS deliveries
  FROM books.notification
  LEFT JOIN books.notification_acknowledgment AS acknowledged ON acknowledged.notification = notification.number
 WHERE %(number)s IN (0, notification.number)
 ORDER BY notification.number DESC LIMIT %(most)s

-- name: webhooks
-- Every webhook, or the one of a name.
SELECT id, url, events, proposal, registered_at, removed_at, secret FROM books.webhook
 WHERE %(id)s IN ('', id) ORDER BY id

-- name: add_webhook
-- Add a webhook, which is told once its secret is made.
INSERT INTO books.webhook (id, url, events, proposal) VALUES (%(id)s, %(url)s, %(events)s, %(proposal)s)

-- name: remove_webhook
-- Tell a webhook nothing any more, and forget its secret.
UPDATE books.webhook SET removed_at = clock_timestamp(), secret = '' WHERE id = %(id)s AND removed_at IS NULL

-- name: set_webhook_secret
-- Keep the secret of a webhook, once.
UPDATE books.webhook SET secret = %(secret)s WHERE id = %(id)s AND secret = '' AND removed_at IS NULL

-- name: waiting_for_webhooks
-- Deliveries of the last three days to webhooks that are due, the oldest first.
SELECT delivery.notification, notification.event, notification.subject, notification.title, notification.text,
       delivery.recipient, notification.recorded_at, delivery.tries, delivery.sent_at, true AS is_due
  FROM books.notification_delivery AS delivery
  JOIN books.notification ON notification.number = delivery.notification
 WHERE delivery.recorded_at > clock_timestamp() - interval '3 days'
   AND starts_with(delivery.recipient, 'webhook:')
   AND delivery.sent_at IS NULL AND delivery.next_try_at <= clock_timestamp()
 ORDER BY delivery.recorded_at LIMIT 100
