-- Every floor that was registered, the newest first.
SELECT number, fingerprint, registered_by, approved_by, registered_at FROM books.floor ORDER BY number DESC
