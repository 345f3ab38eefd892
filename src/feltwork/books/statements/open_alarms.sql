-- Alarms whose cause is not gone, the newest first.
SELECT kind, place, told, raised_at FROM books.alarm WHERE cleared_at IS NULL ORDER BY id DESC
