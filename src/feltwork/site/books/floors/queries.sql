-- name: floor_in_force
-- The floor that was registered last, word for word.
SELECT body FROM books.floor ORDER BY number DESC LIMIT 1

-- name: floor_number
-- The number of the floor that was registered last, and whether commits wait for a standby.
SELECT max(number), current_setting('synchronous_standby_names') <> '' FROM books.floor

-- name: floors
-- Every floor that was registered, the newest first.
SELECT number, fingerprint, registered_by, approved_by, registered_at FROM books.floor ORDER BY number DESC

-- name: register_floor
-- A floor file; its fingerprint is the hash of its text.
INSERT INTO books.floor (fingerprint, body, registered_by, approved_by) VALUES (%s, %s, %s, %s)
RETURNING number

-- name: floor_plan
-- Where the tables stand on the floor plan.
SELECT places FROM books.floor_plan ORDER BY number DESC LIMIT 1

-- name: arrange_floor_plan
-- Keep an arrangement of the tables.
INSERT INTO books.floor_plan (places, arranged_by) VALUES (%s, %s)
