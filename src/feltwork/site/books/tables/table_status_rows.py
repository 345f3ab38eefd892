"""Table status: the current and the last reported round of each table."""

from collections.abc import Sequence
from dataclasses import dataclass

from feltwork.site.books.connection import Connection
from feltwork.site.books.queries import statement
from feltwork.site.progressive.facts import Instant


@dataclass(frozen=True, slots=True)
class LastRound:
    """The last round that a table reported on a link."""

    number: int = 0
    #: Whether it began within the last minutes.
    heard: bool = False
    #: Whether it is in progress, or has only just ended.
    runs: bool = False
    seats: Sequence[int] = ()


def rounds_at_tables(connection: Connection, links: Sequence[str]) -> dict[tuple[str, str], tuple[int, str]]:
    """The number and the phase of the round at each table of some links, by link and table."""
    rows = connection.execute(statement("rounds_at_tables"), (links,)).fetchall()
    return {(link, table): (number, phase) for link, table, number, phase in rows}


def last_rounds(connection: Connection) -> dict[tuple[str, str], LastRound]:
    """The last round of each table, by link and table."""
    rows = connection.execute(statement("last_rounds")).fetchall()
    return {(link, table): LastRound(*rest) for link, table, *rest in rows}


def last_round(connection: Connection, table: str, link: str | None = None) -> int:
    """The last booked or parked round of a table, on any of its links or on one."""
    row = connection.execute(statement("last_round"), {"table": table, "link": link}).fetchone()
    return row[0] if row else 0


def rounds_of_last_hour(
    connection: Connection, *, table: str | None = None, at: Instant | None = None
) -> dict[str, int]:
    """Count the rounds of each table, or of one, that were booked within the last hour.

    ``at`` is when the log stored the current message, so restored books count the hour before it.
    """
    parameters = {"table": table, "at": at}
    return dict(connection.execute(statement("rounds_of_last_hour"), parameters).fetchall())
