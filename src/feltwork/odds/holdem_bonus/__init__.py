"""Texas Hold'em Bonus: counts, optimal play, prices."""
