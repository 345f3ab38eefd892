-- Since when each kind of record is kept; the journal with its rounds, the audit log, then what people wrote.
SELECT 'journal and rounds', min(first_entry.booked_at)
  FROM books.link, LATERAL (SELECT booked_at FROM books.entry
                             WHERE entry.link = link.id ORDER BY number LIMIT 1) AS first_entry
UNION ALL SELECT 'audit log', min(booked_at) FROM books.audit
UNION ALL (SELECT kind, min(at) FROM books.record GROUP BY kind ORDER BY kind)
