"""Connections to the books: the pool of a process, and groups of database errors."""

from psycopg import DataError, Error, IntegrityError, InterfaceError, OperationalError
from psycopg.conninfo import make_conninfo
from psycopg.errors import ReadOnlySqlTransaction
from psycopg_pool import ConnectionPool

from feltwork.site.books.connection import (
    Connection,
    UnconfirmedCommitError,
    configure_pooled,
    connect,
    wait_for_standbys,
)
from feltwork.site.books.server_status import schema_version

__all__ = [
    "REJECTED",
    "UNAVAILABLE",
    "Connection",
    "Pool",
    "UnconfirmedCommitError",
    "connect",
    "wait_for_standbys",
]

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
                return schema_version(connection)
        except Error:
            return None
