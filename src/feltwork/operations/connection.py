"""Connections to the books: the pool of a service, and the errors that a database may answer."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from psycopg import DataError, Error, IntegrityError, InterfaceError, OperationalError
from psycopg_pool import ConnectionPool, PoolTimeout

from feltwork.books.carried import Carried
from feltwork.books.connection import Connection, configure, connect
from feltwork.books.server_status import schema_version

__all__ = [
    "DATABASE_ERRORS",
    "REJECTED",
    "UNAVAILABLE",
    "Carried",
    "Connection",
    "Connections",
    "Pool",
    "connect",
]

#: The books do not answer; nothing was decided, and the same may be tried again.
UNAVAILABLE = (OperationalError, InterfaceError, PoolTimeout)
#: A constraint of the database refused a command that our rules let through.
REJECTED = (IntegrityError, DataError)
#: Anything that a database may raise.
DATABASE_ERRORS = (Error, PoolTimeout)


class Connections(Protocol):
    """Whatever lends connections to a block of code."""

    def connection(self, timeout: float | None = None) -> AbstractContextManager[Connection]:
        """A connection for a block of code."""


class Pool:
    """Connections that are kept open, shared by the requests of one process."""

    def __init__(self, dsn: str, size: int) -> None:
        self._pool = ConnectionPool[Connection](
            dsn,
            min_size=1,
            max_size=size,
            timeout=5,
            kwargs={"autocommit": True, "prepare_threshold": 1},
            configure=configure,
            open=False,
        )

    def open(self) -> None:
        """Begin to connect; books that do not answer yet are tried again."""
        self._pool.open()

    def close(self) -> None:
        """Close every connection."""
        self._pool.close()

    def take(self) -> Connection:
        """A connection that the caller gives back."""
        return self._pool.getconn()

    def give_back(self, connection: Connection) -> None:
        """Return a connection; one that broke is replaced."""
        self._pool.putconn(connection)

    @contextmanager
    def connection(self, timeout: float | None = None) -> Iterator[Connection]:
        """A connection for a block of code."""
        with self._pool.connection(timeout) as connection:
            yield connection

    def schema(self) -> str | None:
        """The version of the schema; None where there is none or the books do not answer."""
        try:
            with self.connection(timeout=2) as connection:
                return schema_version(connection)
        except DATABASE_ERRORS:
            return None
