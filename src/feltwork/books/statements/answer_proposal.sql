-- The answer to a proposal; whoever comes second waits and then finds it answered.
INSERT INTO books.approval (proposal, fingerprint, answered_by, approved) VALUES (%s, %s, %s, %s)
ON CONFLICT (proposal) DO NOTHING
