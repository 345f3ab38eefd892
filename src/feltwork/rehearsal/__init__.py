"""Rehearsals: scripted user actions against a complete system that is discarded afterward."""
