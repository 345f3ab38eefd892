"""The pit's screen."""
