-- The lock of a link, and all that a command reads under it.
SELECT number, hash, state, fingerprint, version, balances, now_micros FROM books.take(%s)
