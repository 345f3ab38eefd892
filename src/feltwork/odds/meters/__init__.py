"""Meter math: how contributions, seeds and shares move a jackpot."""
