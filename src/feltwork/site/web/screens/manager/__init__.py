"""The manager's screen."""
