"""Corrections: one locked seat before the first card, and the recent decisions at tables."""

from dataclasses import asdict, dataclass, replace
from typing import TypeAlias

from feltwork.problem import ProblemsError
from feltwork.site.books.authorize import authorize
from feltwork.site.books.context import Actor, Operation
from feltwork.site.books.floors.floor_files import floor_in_force, verify_stands
from feltwork.site.books.floors.site import verify_link
from feltwork.site.books.links.links import BookedView, booked_view, hand_names
from feltwork.site.books.tables import decisions
from feltwork.site.books.tables.decisions import AddedSeat, added_seat
from feltwork.site.books.tables.sign_ons import may_add_seat, needs_supervisor
from feltwork.site.books.tables.table_rounds import Table
from feltwork.site.compliance.two_person import Command

__all__ = ["AddedSeat", "added_seat", "correct_seat", "recent_decisions"]

#: The stored record is its own view.
DecisionView: TypeAlias = decisions.TableDecision


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectSeat:
    """A correction of one seat's jackpot wager: its chip was knocked off, or was never there."""

    link: str
    table: str
    seat: int
    wagered: bool


def correct_seat(op: Operation, command: CorrectSeat, *, shown: Actor | None = None) -> BookedView:
    """Correct one locked seat before the first card: book or return its wager [LT-01].

    A supervisor adds a seat, or the person who has ``shown`` badge and PIN is one.
    """
    authorize(op, Command(name="correct_seat", about=f"{command.link}/{command.table}"))
    supervisor = shown or op.actor
    if command.wagered and not may_add_seat(supervisor.role):
        where = f"{command.link}, table {command.table}, seat {command.seat}"
        raise ProblemsError([needs_supervisor(where)])
    verify_link(op.connection, command.link)
    verify_stands(op.connection, command.link, command.table, [command.seat])
    seats = floor_in_force(op.connection).table_by_id[command.table].seats
    table = Table(op.connection, command.link, command.table, seats=seats)

    def act() -> BookedView:
        approved_by = supervisor.id if command.wagered else ""
        return booked_view(
            table.correct(seat=command.seat, wagered=command.wagered, by=op.actor.id, approved_by=approved_by)
        )

    return op.perform(asdict(command), BookedView, act)


def recent_decisions(op: Operation, *, table: str = "") -> list[DecisionView]:
    """List corrected seats, voided claims and misdeals of the last hour, newest first."""
    authorize(op, Command(name="watch", about=table))
    views = [
        decision for decision in decisions.recent_decisions(op.connection) if table in ("", decision.table)
    ]
    names = {link: hand_names(op.connection, link) for link in {decision.link for decision in views}}
    return [
        replace(decision, hand_name=names[decision.link].get(decision.hand, decision.hand))
        for decision in views
    ]
