"""Odds: exact counts of deals, and what any paytable returns on them."""
