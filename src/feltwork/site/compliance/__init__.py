"""Compliance: what a jurisdiction allows, who may do what, and whether a floor is lawful."""
