"""Figures: published numbers about a bet, each with an id."""
