"""People and their permissions."""
