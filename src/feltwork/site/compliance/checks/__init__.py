"""Floor checks by subject: tables, links, meters, approvals, people."""
