-- One line of the audit log.
INSERT INTO books.audit (who, place, what, why, before, after) VALUES (%s, %s, %s, %s, %s, %s)
