"""Monthly partitions, created ahead of time."""

from datetime import date

from feltwork.site.books.connection import Connection
from feltwork.site.books.queries import statement


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


def last_partition(connection: Connection) -> date | None:
    """The last month that has a partition in every partitioned table."""
    row = connection.execute(statement("last_partition")).fetchone()
    return row[0] if row else None
