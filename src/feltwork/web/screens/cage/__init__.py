"""The cage's screen."""
