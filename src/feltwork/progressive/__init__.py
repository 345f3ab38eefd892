"""Jackpots: what happens to money between START GAME and END GAME, and who may do what."""
