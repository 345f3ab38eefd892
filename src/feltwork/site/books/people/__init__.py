"""People, their secrets and sessions, and what two of them propose and approve."""
