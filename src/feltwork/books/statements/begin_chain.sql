-- A chain that is still empty, and the state before the first fact.
WITH tail AS (INSERT INTO books.chain_tail (link) VALUES (%(link)s))
INSERT INTO books.standing (link, version, state) VALUES (%(link)s, %(version)s, %(state)s)
