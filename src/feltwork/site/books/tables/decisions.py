"""Decisions at tables: corrected seats, voided claims and misdeals, with the people who made them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from psycopg.rows import class_row

from feltwork.site.books.authorize import authorize
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.links.links import hand_names
from feltwork.site.books.queries import statement
from feltwork.site.compliance.two_person import Command
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


def _decisions_of_last_hour(connection: Connection) -> list[TableDecision]:
    """Decisions of the last hour, the newest first."""
    with connection.cursor(row_factory=class_row(TableDecision)) as cursor:
        return cursor.execute(statement("recent_decisions")).fetchall()


def recent_decisions(op: Operation, *, table: str = "") -> list[TableDecision]:
    """List corrected seats, voided claims and misdeals of the last hour, newest first."""
    authorize(op, Command(name="watch", about=table))
    views = [decision for decision in _decisions_of_last_hour(op.connection) if table in ("", decision.table)]
    names = {link: hand_names(op.connection, link) for link in {decision.link for decision in views}}
    return [
        replace(decision, hand_name=names[decision.link].get(decision.hand, decision.hand))
        for decision in views
    ]
