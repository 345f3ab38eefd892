"""Paytables: data files that never change after release, their parser and their fingerprints."""
