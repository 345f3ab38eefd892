-- Installations with what became of them, the newest first; all of them or one.
SELECT installation.number, installation.what, installation.begins_at, installation.notified_at, installation.notice,
       installation.planned_by, installation.planned_at, ended.outcome, ended.says, ended.ended_by, ended.ended_at
  FROM books.installation LEFT JOIN books.installation_end AS ended ON ended.installation = installation.number
 WHERE %(number)s IN (0, installation.number)
 ORDER BY installation.number DESC LIMIT 500
