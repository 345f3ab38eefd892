"""Rounds of a link: the hands and the key of a table.

START GAME, END GAME and MISDEAL apply to a whole table with all its jackpots: `operations.tables`.
"""

from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Literal

from feltwork.problem import ProblemsError
from feltwork.site.books.authorize import authorize
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.fields import with_example
from feltwork.site.books.floors.floor_files import floor_in_force
from feltwork.site.books.floors.site import verify_link
from feltwork.site.books.links.links import BookedView, MeterView, booked_view
from feltwork.site.books.tables.round_state import Driver, OpenRound
from feltwork.site.books.tables.table_rounds import Table, claims_of
from feltwork.site.compliance.floor import why_not_on_floor
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive.button_pays import verify_cards

#: A fact as it is stored and sent.
PlainFact = dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class PressHand:
    """A seat's hand button, with the cards if entered."""

    link: str
    table: str
    seat: int
    hand: str
    cards: str = ""
    #: The winning side, where its seats divide the prize: one press enters the hand for all of them.
    winners: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldSeat:
    """A seat that folds, where folded hands do not qualify."""

    link: str
    table: str
    seat: int
    folded: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnKey:
    """The key of an Aquarius table."""

    link: str
    table: str
    to: Literal["JPH", "RUN"]


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView:
    """The round at a table, and its active buttons."""

    link: str
    table: str
    round: int
    phase: str
    #: Screen or controller that runs it.
    driver: Driver
    seats: list[int]
    players: list[int]
    hands: dict[str, str]
    folded: list[int]
    claims: list[int]
    confirmed: list[int]
    buttons: list[str]


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class StartedView:
    """A round that has begun."""

    started: PlainFact
    meters: dict[str, MeterView]
    entry: int


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class PressedView(BookedView):
    """The effect of a hand button: a claim made, a claim cleared, or neither."""

    award: str | None
    #: Every claim that the press made: seat -> award.
    awards: dict[str, str]
    round: RoundView


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class KeyView(BookedView):
    """The result of turning the key of an Aquarius table."""

    round: RoundView


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class EndedView:
    """A finished round, with its tray pays."""

    ended: PlainFact


def round_at(op: Operation, link: str, table: str) -> RoundView:
    """Show the current round of a table, or the last one."""
    authorize(op, Command(name="watch", about=f"{link}/{table}"))
    return round_view(table_of(op.connection, link, table).seen())


def press_hand(op: Operation, command: PressHand) -> PressedView:
    """Enter or clear a seat's hand; a hand that wins a meter becomes a claim [LT-02]."""
    authorize(op, Command(name="press_hand", about=f"{command.link}/{command.table}"))
    table = table_of(op.connection, command.link, command.table, [command.seat, *command.winners])

    def act() -> PressedView:
        if command.cards:
            verify_cards(table.seen().round.link, hand=command.hand, cards=command.cards)
        commits = table.press(
            seat=command.seat,
            hand=command.hand,
            by=op.actor.id,
            cards=command.cards,
            winners=command.winners,
        )
        claims, booked = claims_of(commits), booked_view(*commits)
        return PressedView(
            facts=booked.facts,
            meters=booked.meters,
            entry=booked.entry,
            award=claims.get(command.seat),
            awards={str(seat): award for seat, award in claims.items()},
            round=round_view(table.pressed or table.seen()),
        )

    return op.perform(asdict(command), PressedView, act)


def fold_seat(op: Operation, command: FoldSeat) -> RoundView:
    """Mark a seat as folded, or remove the mark; a folded seat cannot claim [LT-02]."""
    authorize(op, Command(name="press_hand", about=f"{command.link}/{command.table}"))
    table = table_of(op.connection, command.link, command.table, [command.seat])

    def act() -> RoundView:
        table.fold(seat=command.seat, folded=command.folded, by=op.actor.id)
        return round_view(table.seen())

    return op.perform(asdict(command), RoundView, act)


def turn_key(op: Operation, command: TurnKey) -> KeyView:
    """Turn the key to JPH, or back to RUN, when signs show the meters without the logged awards."""
    authorize(op, Command(name="confirm", about=f"{command.link}/{command.table}"))
    table = table_of(op.connection, command.link, command.table)

    def act() -> KeyView:
        commit = table.turn_key(to="run" if command.to == "RUN" else "jackpot", by=op.actor.id)
        booked = booked_view(*([commit] if commit else []))
        return KeyView(
            facts=booked.facts, meters=booked.meters, entry=booked.entry, round=round_view(table.seen())
        )

    return op.perform(asdict(command), KeyView, act)


def round_view(played: OpenRound) -> RoundView:
    """Return the view of a round with its active buttons."""
    round_ = played.round
    return RoundView(
        link=round_.link.id,
        table=round_.table,
        round=round_.number,
        phase=round_.phase,
        driver=played.driver,
        seats=list(round_.seats),
        players=list(round_.players),
        hands={str(seat): hand for seat, hand in round_.hands.items()},
        folded=sorted(round_.folded),
        claims=list(round_.claims),
        confirmed=sorted(round_.confirmed),
        buttons=list(round_.buttons),
    )


def table_of(connection: Connection, link: str, table: str, seats: Collection[int] = ()) -> Table:
    """Return a table of the floor in effect; raise unless it has this link and these seats [GEN-06]."""
    try:
        floor = floor_in_force(connection)
        if problem := why_not_on_floor(floor, link, table, seats):
            raise ProblemsError([problem])
    except ProblemsError:
        verify_link(connection, link)
        raise
    return Table(connection, link, table, place=floor.table_by_id[table])
