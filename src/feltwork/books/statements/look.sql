-- How a link stands, without its lock: one snapshot.
SELECT tail.number, tail.hash, standing.state, standing.version, version.body,
       (SELECT coalesce(jsonb_object_agg(balance.account, balance.amount), '{}')
          FROM books.balance WHERE balance.link = tail.link AND account <> 'tray'),
       (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
  FROM books.chain_tail AS tail
  JOIN books.standing AS standing USING (link)
  JOIN books.version AS version ON version.link = tail.link AND version.fingerprint = standing.version
 WHERE tail.link = %s
