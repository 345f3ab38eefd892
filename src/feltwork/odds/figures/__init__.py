"""Figures: every number that is asked of a bet, by an id of its own."""
