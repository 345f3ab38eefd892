-- An alarm, or what is new about the one that is open; nothing where nothing is new.
INSERT INTO books.alarm AS had (kind, place, told) VALUES (%s, %s, %s)
ON CONFLICT (kind, place) WHERE cleared_at IS NULL DO UPDATE SET told = excluded.told WHERE had.told <> excluded.told
