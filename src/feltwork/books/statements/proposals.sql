-- Proposals with their answer, the newest first; one of them, or those that still wait.
SELECT proposal.id, command, about, body, proposal.fingerprint, proposed_by, person.role, person.active,
       approval.answered_by, approval.approved, lapses_at <= clock_timestamp()
  FROM books.proposal
  JOIN books.person ON person.id = proposed_by
  LEFT JOIN books.approval ON approval.proposal = proposal.id
 WHERE proposal.id = %(id)s
    OR (%(id)s = '' AND approval.proposal IS NULL AND lapses_at > clock_timestamp())
 ORDER BY proposed_at DESC LIMIT 500
