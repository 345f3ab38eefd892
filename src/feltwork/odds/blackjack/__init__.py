"""Blackjack: the value of every hand by its composition, and the best use of House Money proceeds."""
