-- Alarms as people look at them: all that are open, then the last that were cleared, with who cleared them.
(SELECT kind, place, told, raised_at, cleared_at, cleared_by FROM books.alarm
  WHERE cleared_at IS NULL ORDER BY id DESC)
UNION ALL
(SELECT kind, place, told, raised_at, cleared_at, cleared_by FROM books.alarm
  WHERE cleared_at IS NOT NULL ORDER BY id DESC LIMIT %s)
