-- Tables that play by themselves are idle after the end of a round, once nothing of it waits for anybody.
UPDATE books.table_round AS kept SET state = jsonb_set(kept.state, '{phase}', '"idle"')
  FROM unnest(%s::text[], %s::bigint[]) AS ended (table_id, number)
 WHERE kept.table_id = ended.table_id AND kept.number = ended.number AND kept.state ->> 'phase' <> 'idle'
   AND NOT EXISTS (SELECT FROM books.award WHERE award.table_id = ended.table_id
                      AND award.round = ended.number AND award.status = 'claimed')
