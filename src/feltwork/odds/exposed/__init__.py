"""Cards that a player has seen beyond those the rules show, and their value."""
