"""6-5-4 Poker: counts, optimal play, prices."""
