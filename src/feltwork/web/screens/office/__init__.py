"""The office."""
