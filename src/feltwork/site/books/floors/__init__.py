"""Floors: the floor file in force, applying a new one, and the floor plan."""
