"""Meter math: what contribution, seed and shares make of a jackpot over time."""
