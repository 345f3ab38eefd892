-- What is given changes, the rest stays.
UPDATE books.person
   SET role = coalesce(%(role)s, role), badge = coalesce(%(badge)s, badge),
       active = coalesce(%(active)s, active), pin_hash = coalesce(%(pin_hash)s, pin_hash),
       password_hash = coalesce(%(password_hash)s, password_hash),
       failed_tries = CASE WHEN %(unlocks)s THEN 0 ELSE failed_tries END,
       locked_until = CASE WHEN %(unlocks)s THEN NULL ELSE locked_until END
 WHERE id = %(id)s
