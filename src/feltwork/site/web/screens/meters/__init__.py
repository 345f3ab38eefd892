"""The meters of a link."""
