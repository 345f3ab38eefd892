"""Awards and payouts."""
