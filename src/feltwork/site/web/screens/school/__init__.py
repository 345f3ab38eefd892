"""The school."""
