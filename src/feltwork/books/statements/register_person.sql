-- A person, new or changed; a new PIN or password ends a lock-out.
INSERT INTO books.person (id, name, role, badge, pin_hash, password_hash)
VALUES (%(id)s, %(name)s, %(role)s, %(badge)s, %(pin_hash)s, %(password_hash)s)
ON CONFLICT (id) DO UPDATE
   SET name = excluded.name, role = excluded.role, badge = excluded.badge, pin_hash = excluded.pin_hash,
       password_hash = excluded.password_hash, failed_tries = 0, locked_until = NULL
