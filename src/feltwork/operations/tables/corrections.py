"""Corrections: one locked seat before the first card, and what the pit is shown of them."""

from dataclasses import asdict, dataclass

from feltwork.books.links.floors import floor_in_force, verify_stands
from feltwork.books.rounds.rounds import last_corrections
from feltwork.books.rounds.table_rounds import Table
from feltwork.compliance.two_person import Command
from feltwork.operations.authorize import authorize
from feltwork.operations.context import Operation
from feltwork.operations.floors.site import verify_link
from feltwork.operations.links.links import BookedView, booked_view
from feltwork.progressive.facts import Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectSeat:
    """Whether a seat has made the jackpot wager: its chip was knocked off, or never there."""

    link: str
    table: str
    seat: int
    wagered: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionView:
    """A seat that was corrected, as the pit sees it."""

    link: str
    table: str
    round: int
    seat: int
    wagered: bool
    by: str
    at: Instant


def correct_seat(op: Operation, command: CorrectSeat) -> BookedView:
    """Correct one locked seat before the first card: book or return its wager [LT-01]."""
    authorize(op, Command(name="correct_seat", about=f"{command.link}/{command.table}"))
    verify_link(op.connection, command.link)
    verify_stands(op.connection, command.link, command.table, [command.seat])
    seats = floor_in_force(op.connection).table_by_id[command.table].seats
    table = Table(op.connection, command.link, command.table, seats=seats)

    def act() -> BookedView:
        return booked_view(table.correct(seat=command.seat, wagered=command.wagered, by=op.actor.id))

    return op.perform(asdict(command), BookedView, act)


def recent_corrections(op: Operation) -> list[CorrectionView]:
    """The seats that were corrected within the last hour, the newest first."""
    return [
        CorrectionView(link=link, table=table, round=number, seat=seat, wagered=wagered, by=by, at=at)
        for link, table, number, seat, wagered, by, at in last_corrections(op.connection)
    ]
