"""Training for dealers and players on dealt rounds, with the paragraph behind each answer."""
