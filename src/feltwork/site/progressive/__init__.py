"""Jackpots: how money moves between START GAME and END GAME, and who may do what."""
