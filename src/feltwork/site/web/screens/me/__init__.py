"""The signed-in person's page."""
