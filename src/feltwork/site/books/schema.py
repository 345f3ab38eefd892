"""The schema that this release expects, and the check that the books have it."""

from psycopg import OperationalError

from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.connection import Connection, connect
from feltwork.site.books.migrate import migrate, newest
from feltwork.site.books.queries import statement
from feltwork.site.books.server_status import ServerStatus, schema_version, server_status

__all__ = [
    "ServerStatus",
    "UnavailableError",
    "make_partitions",
    "migrate",
    "newest",
    "status",
    "verify_schema",
]

_PATIENCE_SECONDS = 5


class UnavailableError(ProblemsError):
    """The books do not answer; they may still be starting."""


def status(dsn: str) -> ServerStatus:
    """Return the state of the database server behind a DSN."""
    try:
        with connect(dsn, timeout=_PATIENCE_SECONDS) as connection:
            return server_status(connection)
    except OperationalError as error:
        raise _unavailable(error) from error


def verify_schema(dsn: str) -> None:
    """Raise unless the books answer and have the schema of this release."""
    try:
        with connect(dsn, timeout=_PATIENCE_SECONDS) as connection:
            schema = schema_version(connection)
    except OperationalError as error:
        raise _unavailable(error) from error
    if schema != newest():
        what = f"the schema is {schema or 'missing'}, this release expects {newest()}"
        raise ProblemsError([Problem("--dsn", what, "run feltwork init")])


def make_partitions(connection: Connection) -> int:
    """Create the missing partitions of the next months, and return their number.

    A new partition locks its table for a moment. One table at a time, and with a timeout, so neither a
    deadlock nor a long report delays bookings.
    """
    count = 0
    for (table,) in connection.execute(statement("partitioned_tables")).fetchall():
        with connection.transaction():
            connection.execute("SET LOCAL lock_timeout = '2s'")
            row = connection.execute(statement("make_partitions"), (table,)).fetchone()
            count += row[0] if row else 0
    return count


def _unavailable(error: OperationalError) -> UnavailableError:
    what = f"the books do not answer: {str(error).splitlines()[0]}"
    return UnavailableError([Problem("--dsn", what, "start PostgreSQL, or correct --dsn")])
