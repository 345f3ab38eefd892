"""Crazy 4 Poker: counts, optimal play, prices."""
