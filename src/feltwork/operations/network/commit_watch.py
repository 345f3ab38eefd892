"""Commits of a link whose next step must know whether a standby has the one before."""

from collections.abc import Iterator
from contextlib import contextmanager

from feltwork.books.connection import Connection, wait_for_standbys


class SureCommits:
    """Transactions of one link; after one that may not have reached a standby, the next waits for all."""

    def __init__(self) -> None:
        #: Whether a commit may not have reached a standby.
        self._unsure = False

    @contextmanager
    def transaction(self, connection: Connection) -> Iterator[None]:
        """Run one transaction; it raises unless a standby confirms its commit, so nothing is sent."""
        if self._unsure:
            wait_for_standbys(connection)
        self._unsure = True
        with connection.transaction():
            yield
        self._unsure = False
