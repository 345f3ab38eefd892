"""How long a heavy test runs: short for every commit, in full length with `just nightly`."""

import os

NIGHTLY = bool(os.environ.get("FELTWORK_NIGHTLY"))


def size(of_commit: int, of_night: int) -> int:
    """One number for every commit, and one for the night."""
    return of_night if NIGHTLY else of_commit
