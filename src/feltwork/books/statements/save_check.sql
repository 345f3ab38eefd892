-- A check that found nothing wrong; the next one begins there.
INSERT INTO books.checked (link, number, hash, balances) VALUES (%s, %s, %s, %s)
ON CONFLICT (link) DO UPDATE SET number = excluded.number, hash = excluded.hash, balances = excluded.balances,
                                 checked_at = clock_timestamp()
