"""Hand rankings."""
