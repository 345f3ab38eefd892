-- The periods of a link: each version that was in force with its rates, from the entry that began it, by whom, and
-- what was contributed under it; a changed rate begins a new one [GEN-04, GL-09].
WITH begun AS (
  SELECT entry.link, entry.number, entry.booked_at, entry.fact::jsonb AS fact,
         lead(entry.number) OVER (PARTITION BY entry.link ORDER BY entry.number) AS next_number,
         lead(entry.booked_at) OVER (PARTITION BY entry.link ORDER BY entry.number) AS ended_at
    FROM books.entry WHERE kind IN ('Opened', 'Reconfigured')
)
SELECT begun.link, begun.number AS first_entry, begun.booked_at AS began_at, begun.ended_at,
       begun.fact ->> 'version' AS version, coalesce(begun.fact ->> 'before', '') AS before,
       (SELECT jsonb_object_agg(level ->> 'name', jsonb_build_object('seed', level -> 'seed',
                                'contribution', level -> 'contribution', 'reserve', level -> 'reserve'))
          FROM jsonb_array_elements(version.body::jsonb -> 'levels') AS level) AS rates,
       begun.fact ->> 'by' AS asked_by, begun.fact ->> 'approved_by' AS approved_by,
       coalesce((SELECT sum((posting -> 1)::bigint)
                   FROM books.entry AS later, jsonb_array_elements(later.body::jsonb -> 'postings') AS posting
                  WHERE later.link = begun.link AND later.kind = 'Contributed' AND later.number > begun.number
                    AND later.number < coalesce(begun.next_number, 9223372036854775807)
                    AND split_part(posting ->> 0, '/', 1) IN ('meter', 'reserve')), 0)::bigint AS contributed
  FROM begun JOIN books.version ON version.link = begun.link AND version.fingerprint = begun.fact ->> 'version'
 WHERE begun.booked_at < %(until)s AND coalesce(begun.ended_at, 'infinity') > %(since)s
 ORDER BY begun.link, begun.number
