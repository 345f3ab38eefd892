"""Cards that a player has seen beyond the rules, and what they are worth."""
