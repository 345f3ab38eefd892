"""Proof: replay, self-checks and exports."""
