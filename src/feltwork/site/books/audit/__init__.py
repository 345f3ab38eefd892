"""Proof: replay, self-checks, exports, the heads and sheets of days, and how long records are kept."""
