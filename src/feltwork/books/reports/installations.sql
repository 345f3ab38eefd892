-- Installations and live tests, the notice of each and how long before it was given [GEN-20].
SELECT installation.number, installation.what, installation.notified_at, installation.notice, installation.begins_at,
       extract(epoch FROM installation.begins_at - installation.notified_at)::bigint / 3600 AS hours_of_notice,
       installation.planned_by, installation.planned_at, ended.outcome, ended.says, ended.ended_by, ended.ended_at
  FROM books.installation LEFT JOIN books.installation_end AS ended ON ended.installation = installation.number
 WHERE installation.begins_at >= %(since)s AND installation.begins_at < %(until)s
 ORDER BY installation.number
