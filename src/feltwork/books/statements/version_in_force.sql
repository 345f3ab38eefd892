-- The version that a link has now.
SELECT version.body, version.fingerprint
  FROM books.standing JOIN books.version ON version.link = standing.link AND version.fingerprint = standing.version
 WHERE standing.link = %s
