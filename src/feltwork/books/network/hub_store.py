"""A commit that a synchronous standby has confirmed."""

from feltwork.books.connection import Connection
from feltwork.books.queries import statement


def wait_for_standbys(connection: Connection) -> None:
    """Commit a barrier: a synchronous standby then has everything that was committed before."""
    with connection.transaction():
        connection.execute(statement("emit_barrier"))
