-- An award as it stands after a command.
INSERT INTO books.award (link, id, table_id, round, seat, hand, claimed_by, claimed_at, status, level, from_meter,
                         from_house, seed, reserve, locked, lock_number, first_lock, meter_inflow, reserve_inflow,
                         restarts, supervisor, executive, paid_by, cards)
VALUES (%(link)s, %(id)s, %(table)s, %(round)s, %(seat)s, %(hand)s, %(claimed_by)s, %(claimed_at)s, %(status)s,
        %(level)s, %(from_meter)s, %(from_house)s, %(seed)s, %(reserve)s, %(locked)s, %(lock_number)s,
        %(first_lock)s, %(meter_inflow)s, %(reserve_inflow)s, %(restarts)s, %(supervisor)s, %(executive)s,
        %(paid_by)s, %(cards)s)
ON CONFLICT (link, id) DO UPDATE
   SET status = excluded.status, level = excluded.level, from_meter = excluded.from_meter,
       from_house = excluded.from_house, seed = excluded.seed, reserve = excluded.reserve,
       locked = excluded.locked, lock_number = excluded.lock_number, first_lock = excluded.first_lock,
       meter_inflow = excluded.meter_inflow, reserve_inflow = excluded.reserve_inflow,
       restarts = excluded.restarts, supervisor = excluded.supervisor, executive = excluded.executive,
       paid_by = excluded.paid_by
