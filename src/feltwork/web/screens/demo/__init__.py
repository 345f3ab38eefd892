"""The demo's own buttons."""
