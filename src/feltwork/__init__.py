"""Feltwork: the open system behind the felt."""

__version__ = "0.1.0"
