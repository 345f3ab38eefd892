"""Compiled counting loops; each has a readable counterpart next to what it counts."""
