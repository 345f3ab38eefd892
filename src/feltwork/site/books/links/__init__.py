"""Links, their versions, and their life cycle."""
