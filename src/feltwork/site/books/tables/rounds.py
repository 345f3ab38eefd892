"""Rounds of a link: the hands and the key of a table, and batches from tables that store rounds.

START GAME, END GAME and MISDEAL apply to a whole table with all its jackpots: `operations.tables`.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Annotated, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass as validated

from feltwork.site.books.authorize import authorize
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.fields import COMMAND, Amount, Name, RoundNumber, Seat, with_example
from feltwork.site.books.floors.floor_files import floor_in_force, verify_stands
from feltwork.site.books.floors.site import verify_dealer, verify_link
from feltwork.site.books.links.links import BookedView, MeterView, booked_view, meters_of
from feltwork.site.books.tables.admission import TOO_FAR, is_near, now
from feltwork.site.books.tables.round_quota import verify_quota
from feltwork.site.books.tables.round_state import Driver, OpenRound
from feltwork.site.books.tables.rounds_rows import BatchResult, book_rounds
from feltwork.site.books.tables.table_rounds import Table, claims_of
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive.button_pays import verify_cards
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.round_facts import RoundStarted

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


@validated(config=COMMAND, frozen=True, kw_only=True)
class KeptRound:
    """A round stored by a table."""

    table: Name = Field(examples=["C1"])
    round: RoundNumber = Field(examples=[101])
    at: Annotated[int, Field(ge=0, le=2**53, strict=True)] = Field(
        description="Microseconds since 1970 in UTC, by the table's clock.", examples=[1_800_000_000_000_000]
    )
    wager: Amount = Field(description="Millionths.", examples=[1_000_000])
    seats: tuple[Seat, ...] = Field(max_length=12, examples=[[1, 2, 5]])


@dataclass(frozen=True, slots=True, kw_only=True)
class BookRounds:
    """Rounds of one link, in any order; rounds already booked are skipped."""

    link: str
    rounds: tuple[KeptRound, ...]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedRoundView:
    """A round that was not booked."""

    table: str
    round: int
    what: str
    remedy: str
    requirement: str


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class BatchView:
    """The outcome of a batch of rounds."""

    booked: int
    duplicates: list[tuple[str, int]]
    refused: list[RefusedRoundView]
    meters: dict[str, MeterView]
    entry: int


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
            round=round_view(table.seen()),
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


def book_kept_rounds(op: Operation, command: BookRounds) -> BatchView:
    """Book rounds stored by tables in one transaction, each exactly once [GEN-11]."""
    authorize(op, Command(name="start_game", about=command.link))
    verify_link(op.connection, command.link)
    for table in sorted({round_.table for round_ in command.rounds}):
        seats = {seat for round_ in command.rounds if round_.table == table for seat in round_.seats}
        verify_stands(op.connection, command.link, table, seats)
        verify_dealer(op.connection, op.actor.id, table)
    rounds = [
        RoundStarted(
            link=command.link,
            at=round_.at,
            table=round_.table,
            round=round_.round,
            wager=round_.wager,
            seats=tuple(sorted(set(round_.seats))),
        )
        for round_ in command.rounds
    ]

    def act() -> BatchView:
        for round_ in rounds:
            if not is_near(round_.at, now()):
                where = f"{round_.link}, table {round_.table}, round {round_.round}"
                raise refuse(where, TOO_FAR, "set the clock of the table", "GEN-07")
        for table, count in Counter(round_.table for round_ in rounds).items():
            verify_quota(op.connection, table, count, by=op.actor.id)
        return _batch_view(book_rounds(op.connection, command.link, rounds))

    return op.perform(asdict(command), BatchView, act)


def _batch_view(booked: BatchResult) -> BatchView:
    return BatchView(
        booked=booked.rounds,
        duplicates=list(booked.duplicates),
        refused=[
            RefusedRoundView(
                table=refusal.started.table,
                round=refusal.started.round,
                what=refusal.problem.what,
                remedy=refusal.problem.remedy,
                requirement=refusal.problem.requirement,
            )
            for refusal in booked.refused
        ],
        meters=meters_of(booked.after.state),
        entry=booked.after.tail.number,
    )


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
    verify_link(connection, link)
    verify_stands(connection, link, table, seats)
    return Table(connection, link, table, seats=floor_in_force(connection).table_by_id[table].seats)
