-- Where each chain stood when a period began and when it ended: the last entry before either.
SELECT link.id, link.kind,
       coalesce(opening.number, 0), coalesce(opening.hash, repeat('0', 64)), coalesce(opening.body, ''),
       coalesce(closing.number, 0), coalesce(closing.hash, repeat('0', 64)), coalesce(closing.body, '')
  FROM books.link
  LEFT JOIN LATERAL (SELECT number, hash, body FROM books.entry
                      WHERE entry.link = link.id AND booked_at < %(since)s
                      ORDER BY number DESC LIMIT 1) AS opening ON true
  LEFT JOIN LATERAL (SELECT number, hash, body FROM books.entry
                      WHERE entry.link = link.id AND booked_at < %(until)s
                      ORDER BY number DESC LIMIT 1) AS closing ON true
 ORDER BY link.id
