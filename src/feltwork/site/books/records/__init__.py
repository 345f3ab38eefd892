"""Training records."""
