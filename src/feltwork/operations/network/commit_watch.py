"""Commit warnings: if the wait for a standby is canceled, PostgreSQL confirms the commit with a warning."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from psycopg import OperationalError
from psycopg.errors import Diagnostic

from feltwork.books.connection import Connection
from feltwork.books.network.hub_store import wait_for_standbys

#: The SQLSTATE of a plain warning.
_WARNING = "01000"


class CommitWatch:
    """A record of connection warnings: after one, a commit may exist only on this server."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.warned = False

    def __enter__(self) -> "CommitWatch":
        self._connection.add_notice_handler(self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.remove_notice_handler(self._note)

    def _note(self, notice: Diagnostic) -> None:
        self.warned = self.warned or notice.sqlstate == _WARNING


class SureCommits:
    """Transactions of one link; after one that may not have reached a standby, the next waits for all."""

    def __init__(self) -> None:
        #: Whether a commit may not have reached a standby.
        self._unsure = False

    @contextmanager
    def transaction(self, connection: Connection) -> Iterator[None]:
        """Run one transaction; raise unless a standby confirms its commit, so nothing is sent."""
        with CommitWatch(connection) as commit:
            if self._unsure:
                wait_for_standbys(connection)
                _verify(commit)
            self._unsure = True
            with connection.transaction():
                yield
            _verify(commit)
        self._unsure = False


def _verify(commit: CommitWatch) -> None:
    if commit.warned:
        raise OperationalError("a commit was not confirmed by a standby")
