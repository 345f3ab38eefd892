"""The win page."""
