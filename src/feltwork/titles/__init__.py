"""Titles: every game and every jackpot, one folder each."""
