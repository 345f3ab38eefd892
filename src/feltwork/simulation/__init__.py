"""The simulated floor: demo, load and fault test."""
