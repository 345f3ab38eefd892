"""The demo's own button."""
