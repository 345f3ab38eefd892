"""Counting loops in compiled code; the readable counterpart of each stands beside what it counts."""
