"""Floor checks by subject: tables, links, meters, people."""
