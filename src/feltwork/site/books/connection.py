"""Connections to the books: explicit transactions, a pool, and no commit without its standby."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import psycopg
from psycopg import DataError, Error, IntegrityError, InterfaceError, OperationalError
from psycopg.abc import PQGen
from psycopg.conninfo import make_conninfo
from psycopg.errors import Diagnostic, ReadOnlySqlTransaction
from psycopg.rows import TupleRow
from psycopg_pool import ConnectionPool

from feltwork.site.books.queries import statement

RV = TypeVar("RV")
#: The source file of PostgreSQL's warning; its text depends on the language of the server.
_WAITS_FOR_STANDBYS = "syncrep.c"


#: Errors while the books are down or being restored; nothing was decided, and a retry is safe.
UNAVAILABLE = (OperationalError, InterfaceError, ReadOnlySqlTransaction)
#: Errors of a database constraint that refused a command our rules allowed.
REJECTED = (IntegrityError, DataError)
#: Timeouts that detect a dead connection within seconds, so the process soon notices a restored network.
_TIMEOUTS = {
    "connect_timeout": 3,
    "keepalives_idle": 3,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    "tcp_user_timeout": 6_000,
}


class UnconfirmedCommitError(psycopg.OperationalError):
    """A commit that may exist only on this server, because the wait for a standby was canceled.

    PostgreSQL reports such a commit as done, with a warning. Nothing may be answered then. A repeat finds
    what was booked, and is answered after `wait_for_standbys`.
    """

    def __init__(self) -> None:
        super().__init__("no standby has confirmed a commit")


class Connection(psycopg.Connection[TupleRow]):
    """A connection that raises `UnconfirmedCommitError` after a commit that no standby has confirmed."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._unconfirmed: list[str] = []
        self.add_notice_handler(partial(_note, self._unconfirmed.append))

    def wait(self, gen: PQGen[RV], *arguments: Any, **options: Any) -> RV:
        """Wait for the server; every statement and every commit passes through here."""
        try:
            return super().wait(gen, *arguments, **options)
        finally:
            if self._unconfirmed:
                self._unconfirmed.clear()
                raise UnconfirmedCommitError


def _note(report: Callable[[str], None], notice: Diagnostic) -> None:
    if notice.source_file == _WAITS_FOR_STANDBYS:
        report(notice.message_primary or "")


def connect(dsn: str, *, timeout: int | None = None) -> Connection:
    """Open an autocommit connection; each function of the books opens its own transaction."""
    connection = Connection.connect(dsn, autocommit=True, prepare_threshold=1, connect_timeout=timeout)
    configure(connection)
    return connection


def configure(connection: Connection) -> None:
    """Configure a connection: an abandoned transaction ends by itself, and no setting hides a warning."""
    connection.execute("SET idle_in_transaction_session_timeout = '60s'; SET client_min_messages = warning")


def configure_pooled(connection: Connection) -> None:
    """Configure a shared connection: a statement times out after a minute."""
    configure(connection)
    connection.execute("SET statement_timeout = '60s'")


def wait_for_standbys(connection: Connection) -> None:
    """Let a synchronous standby, if there is one, confirm everything that was committed before."""
    connection.execute(statement("confirm_earlier"))


class Pool(ConnectionPool[Connection]):
    """A connection pool shared by the threads of one process."""

    def __init__(self, dsn: str, size: int) -> None:
        super().__init__(
            make_conninfo(dsn, **_TIMEOUTS),
            connection_class=Connection,
            min_size=1,
            max_size=size,
            timeout=5,
            reconnect_timeout=5,
            max_idle=120,
            kwargs={"autocommit": True, "prepare_threshold": 1},
            configure=configure_pooled,
            open=False,
        )

    def schema(self) -> str | None:
        """Return the schema version; None if there is none or the books do not answer."""
        try:
            with self.connection(timeout=2) as connection:
                from feltwork.site.books.server_status import schema_version

                return schema_version(connection)
        except Error:
            return None
