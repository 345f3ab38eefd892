"""Links: state, meters, signs, and their self-check."""
