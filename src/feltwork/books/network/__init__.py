"""Network links: the books of a hub, its members and their sums."""
