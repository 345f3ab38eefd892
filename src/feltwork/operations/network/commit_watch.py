"""Warnings at commit: PostgreSQL confirms a commit whose wait for a standby was canceled, with a warning."""

from types import TracebackType

from psycopg.errors import Diagnostic

from feltwork.books.connection import Connection

#: The SQLSTATE of a plain warning.
_WARNING = "01000"


class CommitWatch:
    """Notes whether the connection warned: then a commit is here and perhaps nowhere else."""

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
