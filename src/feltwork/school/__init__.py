"""Exercises for dealers and players: a dealt round, what the rules answer, the paragraph that decides."""
