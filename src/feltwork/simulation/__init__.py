"""A floor that plays itself: demo, load and faults."""
