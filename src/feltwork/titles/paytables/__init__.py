"""Paytables: files that never change after release, their parser and fingerprints."""
