-- Records of people in a period: payouts, incidents, installations, reviews, proposals, floors.
SELECT kind, at, told FROM books.record
 WHERE at >= %(since)s AND at < %(until)s ORDER BY at, kind, told::text
