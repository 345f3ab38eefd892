-- The corrected seats of a link, with the seats that START GAME had locked and the entry that booked the round.
SELECT correction.entry, correction.table_id, correction.number, seat, wagered, round.seats, round.entry
  FROM books.correction
  LEFT JOIN books.round ON round.number = correction.number AND round.table_id = correction.table_id
       AND round.link = correction.link
 WHERE correction.link = %s
