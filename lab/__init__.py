"""Proof tools of the project, which are not part of what a room installs."""
