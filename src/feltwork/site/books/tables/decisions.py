"""Decisions at tables: corrected seats, voided claims and misdeals, with the people who made them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from psycopg.rows import class_row

from feltwork.site.books.connection import Connection
from feltwork.site.books.queries import statement
from feltwork.site.progressive.facts import Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDecision:
    """A decision at a table; ``by`` is the name of the person."""

    kind: Literal["corrected", "voided", "misdealt"]
    link: str
    table: str
    round: int
    seats: Sequence[int]
    #: Of a corrected seat: whether its wager was locked.
    wagered: bool
    #: Of a voided claim.
    hand: str
    reason: str
    by: str
    at: Instant
    #: The approved name of the hand; operations fill it in.
    hand_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedSeat:
    """A seat that was added after START GAME, by name: who did it, and whose badge allowed it."""

    seat: int
    by: str
    approved_by: str
    at: Instant


def added_seat(connection: Connection, link: str, table: str, number: int, seat: int) -> AddedSeat | None:
    """How a seat of a round was added after START GAME, or None."""
    with connection.cursor(row_factory=class_row(AddedSeat)) as cursor:
        return cursor.execute(statement("added_seat"), (link, table, number, seat)).fetchone()


def recent_decisions(connection: Connection) -> list[TableDecision]:
    """Decisions of the last hour, the newest first."""
    with connection.cursor(row_factory=class_row(TableDecision)) as cursor:
        return cursor.execute(statement("recent_decisions")).fetchall()
