"""Tables: the buttons of a table, for one of its jackpots or for all of them.

A round has one number on all links of its table. Each link has its own books; a button takes their locks in
the order of their names, so two buttons cannot deadlock.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from pydantic import Field
from pydantic.dataclasses import dataclass as validated

from feltwork.problem import ProblemsError
from feltwork.site.books.authorize import authorize, beside
from feltwork.site.books.awards.awards import ShownBadge
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.fields import COMMAND, Cards, Name, Seat, Statement, with_example
from feltwork.site.books.floors.floor_files import floor_in_force, verify_stands
from feltwork.site.books.floors.site import links_at, verify_dealer, verify_link
from feltwork.site.books.journal.link_state import lock_link
from feltwork.site.books.links.links import BookedView, MeterView, booked_view, meters_of
from feltwork.site.books.tables.admission import verify_quota
from feltwork.site.books.tables.rounds import Driver, OpenRound, last_round
from feltwork.site.books.tables.sign_ons import may_add_seat, needs_supervisor
from feltwork.site.books.tables.table_rounds import Table, claims_of
from feltwork.site.compliance.floor import why_not_on_floor
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive.button_pays import verify_cards
from feltwork.site.progressive.fact_serializer import as_plain
from feltwork.site.progressive.round import verify_listed

V = TypeVar("V")
#: A fact as it is stored and sent.
PlainFact = dict[str, object]


@validated(config=COMMAND, frozen=True, kw_only=True)
class HandButton:
    """A seat's hand button."""

    seat: Seat = Field(examples=[2])
    hand: Name = Field(examples=["four_aces"])
    cards: Cards = Field(
        default="",
        description="The winning cards, if known.",
        examples=["As Ah Ad Ac 2c"],
    )
    winners: list[Seat] = Field(
        default_factory=list,
        max_length=12,
        description="The winning side, where its seats divide the prize: one press covers all of them.",
        examples=[[]],
    )


@validated(config=COMMAND, frozen=True, kw_only=True)
class FoldedSeat:
    """A seat, and whether it has folded."""

    seat: Seat = Field(examples=[4])
    folded: bool = Field(strict=True, examples=[True])


@validated(config=COMMAND, frozen=True, kw_only=True)
class TurnedKey:
    """The new position of an Aquarius key."""

    to: Literal["JPH", "RUN"] = Field(examples=["JPH"])
    shown: ShownBadge | None = Field(
        default=None, description="The key holder, if someone else is signed in at the table."
    )


@validated(config=COMMAND, frozen=True, kw_only=True)
class CorrectedSeat:
    """The correct state of a locked seat."""

    seat: Seat = Field(examples=[5])
    wagered: bool = Field(
        strict=True, description="Whether the seat made the jackpot wager.", examples=[False]
    )
    shown: ShownBadge | None = Field(
        default=None, description="The supervisor, if someone else adds a seat at the table."
    )


@validated(config=COMMAND, frozen=True, kw_only=True)
class TableStart:
    """The chips when START GAME is pressed."""

    wagers: dict[Name, list[Seat]] = Field(
        default_factory=dict,
        max_length=4,
        description="The seats with a jackpot chip, by link; by default, those with a covered sensor.",
        examples=[{"sevens": [1, 2], "trilux": [1, 3]}],
    )
    players: list[Seat] | None = Field(
        default=None,
        max_length=12,
        description="Seats with a regular wager; by default, those with a jackpot chip.",
        examples=[[1, 2, 3, 5]],
    )


@validated(config=COMMAND, frozen=True, kw_only=True)
class SupervisorBadge:
    """The supervisor who authorizes it."""

    shown: ShownBadge | None = Field(
        default=None, description="The supervisor's badge, if someone else is signed in at the table."
    )


@validated(config=COMMAND, frozen=True, kw_only=True)
class Misdeal(SupervisorBadge):
    """The reason to void the round, and the supervisor who authorizes it."""

    reason: Statement = Field(examples=["Exposed card"])


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


def press_hand(op: Operation, link: str, name: str, body: HandButton) -> PressedView:
    """Enter or clear a seat's hand; a hand that wins a meter becomes a claim [LT-02]."""
    authorize(op, Command(name="press_hand", about=f"{link}/{name}"))
    table = table_of(op.connection, link, name, [body.seat, *body.winners])

    def act() -> PressedView:
        if body.cards:
            verify_cards(table.seen().round.link, hand=body.hand, cards=body.cards)
        commits = table.press(
            seat=body.seat,
            hand=body.hand,
            by=op.actor.id,
            cards=body.cards,
            winners=body.winners,
        )
        claims, booked = claims_of(commits), booked_view(*commits)
        return PressedView(
            facts=booked.facts,
            meters=booked.meters,
            entry=booked.entry,
            award=claims.get(body.seat),
            awards={str(seat): award for seat, award in claims.items()},
            round=round_view(table.pressed or table.seen()),
        )

    return op.perform(asdict(body), PressedView, act)


def fold_seat(op: Operation, link: str, name: str, body: FoldedSeat) -> RoundView:
    """Mark a seat as folded, or remove the mark; a folded seat cannot claim [LT-02]."""
    authorize(op, Command(name="press_hand", about=f"{link}/{name}"))
    table = table_of(op.connection, link, name, [body.seat])

    def act() -> RoundView:
        table.fold(seat=body.seat, folded=body.folded, by=op.actor.id)
        return round_view(table.seen())

    return op.perform(asdict(body), RoundView, act)


def turn_key(op: Operation, link: str, name: str, body: TurnedKey) -> KeyView:
    """Turn the key to JPH, or back to RUN, when signs show the meters without the logged awards."""
    by = _shown(op, body.shown, name)
    authorize(by, Command(name="confirm", about=f"{link}/{name}"))
    table = table_of(op.connection, link, name)

    def act() -> KeyView:
        commit = table.turn_key(to="run" if body.to == "RUN" else "jackpot", by=by.actor.id)
        booked = booked_view(*([commit] if commit else []))
        return KeyView(
            facts=booked.facts, meters=booked.meters, entry=booked.entry, round=round_view(table.seen())
        )

    return _perform(op, by, {"to": body.to}, KeyView, act)


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


def correct_seat(op: Operation, link: str, name: str, body: CorrectedSeat) -> BookedView:
    """Correct one locked seat before the first card: book or return its wager [LT-01].

    A supervisor adds a seat, or the person who has shown badge and PIN is one.
    """
    supervisor = _shown(op, body.shown, name).actor
    authorize(op, Command(name="correct_seat", about=f"{link}/{name}"))
    if body.wagered and not may_add_seat(supervisor.role):
        raise ProblemsError([needs_supervisor(f"{link}, table {name}, seat {body.seat}")])
    table = table_of(op.connection, link, name, [body.seat])

    def act() -> BookedView:
        approved_by = supervisor.id if body.wagered else ""
        return booked_view(
            table.correct(seat=body.seat, wagered=body.wagered, by=op.actor.id, approved_by=approved_by)
        )

    return op.perform({"seat": body.seat, "wagered": body.wagered}, BookedView, act)


def _shown(op: Operation, shown: ShownBadge | None, table: str) -> Operation:
    """The operation of the person who shows badge and PIN at the table, or of the actor."""
    return beside(op, shown.badge, shown.pin, about=table) if shown else op


def _perform(
    op: Operation,
    by: Operation,
    body: Mapping[str, Any],
    view: type[V],
    act: Callable[[], V],
    *,
    why: str = "",
) -> V:
    """Run a command of the person who has shown a badge."""
    result = by.perform(body, view, act, why=why)
    op.replayed = by.replayed
    return result


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """The round at a table on each of its links."""

    table: str
    round: int
    links: dict[str, RoundView]


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class TableStartedView:
    """A round that has begun at a table."""

    table: str
    round: int
    started: dict[str, StartedView]
    #: Link -> why its seats are not locked: the dealer gives these chips back.
    refused: dict[str, str]


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class TableEndedView:
    """A finished round, with the tray pays of each jackpot."""

    ended: dict[str, EndedView]


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class TableVoidedView:
    """A voided round, with the facts booked on each link."""

    voided: dict[str, BookedView]


def table_round(op: Operation, table: str) -> TableView:
    """Show the current round of a table, or the last one."""
    authorize(op, Command(name="watch", about=f"table {table}"))
    return _view(table, _tables(op.connection, table))


def start_game(
    op: Operation,
    name: str,
    only: str,
    body: TableStart,
    *,
    sensors: Mapping[str, Collection[int]] = MappingProxyType({}),
) -> TableStartedView:
    """Lock the seats of every jackpot of the table, or of one link, and book the round on each [LT-01].

    ``sensors`` are the covered seats of each link with a recent reading; listed seats must match them. A
    stopped link is skipped: its seats are not locked, and the dealer is notified.
    """
    authorize(op, Command(name="start_game", about=name))
    verify_dealer(op.connection, op.actor.id, name)
    for listed, seats in body.wagers.items():
        table_of(op.connection, listed, name, {*seats, *(body.players or ())})
    tables = _tables(op.connection, name, only)
    if floor_in_force(op.connection).table_by_id[name].entry != "sensors":
        sensors = {}

    def act() -> TableStartedView:
        verify_quota(op.connection, name, 1, by=op.actor.id)
        for link in set(body.wagers) & set(tables):
            seats = body.wagers[link]
            verify_listed(name, seats, sensors.get(link, seats))
        wagers = {**sensors, **body.wagers}
        for link in set(sensors) & set(tables):
            verify_stands(op.connection, link, name, sensors[link])
        chips = {seat for link in tables for seat in wagers.get(link, ())}
        players = chips if body.players is None else body.players
        is_open = {link: lock_link(op.connection, link).state.takes_wagers for link in tables}
        number = last_round(op.connection, name) + 1
        started: dict[str, StartedView] = {}
        refused: dict[str, str] = {}
        for link, table in tables.items():
            if not is_open[link] and any(is_open.values()):
                table.leave_out(number)
                refused[link] = f"link {link} is not accepting wagers; return its chips"
                continue
            covered = wagers.get(link, ())
            fact, booked = table.start(covered=covered, players=players, by=op.actor.id, number=number)
            started[link] = StartedView(
                started=as_plain(fact),
                meters=meters_of(booked.after.state),
                entry=booked.after.tail.number,
            )
        return TableStartedView(table=name, round=number, started=started, refused=refused)

    return op.perform({"link": only, **asdict(body)}, TableStartedView, act)


def end_game(op: Operation, name: str, link: str) -> TableEndedView:
    """End the round on every link, or on one, and total and book the tray pays [LT-09]."""
    authorize(op, Command(name="end_game", about=name))
    tables = _tables(op.connection, name, link)

    def act() -> TableEndedView:
        return TableEndedView(
            ended={link: EndedView(ended=as_plain(table.end())) for link, table in _in_play(tables).items()}
        )

    return op.perform({"link": link}, TableEndedView, act)


def void_round(op: Operation, name: str, link: str, body: Misdeal) -> TableVoidedView:
    """Void a misdealt round on every link, or on one; its wagers are returned to the players."""
    by = _shown(op, body.shown, name)
    authorize(by, Command(name="misdeal", about=name))
    tables = _tables(op.connection, name, link)

    def act() -> TableVoidedView:
        voided = {
            of: booked_view(table.misdeal(reason=body.reason, by=by.actor.id))
            for of, table in _in_play(tables).items()
        }
        return TableVoidedView(voided=voided)

    return _perform(op, by, {"link": link, "reason": body.reason}, TableVoidedView, act, why=body.reason)


def take_over(op: Operation, name: str, link: str, body: SupervisorBadge) -> TableView:
    """Take over the open round of an unresponsive controller; it regains control between rounds."""
    by = _shown(op, body.shown, name)
    authorize(by, Command(name="misdeal", about=name))
    tables = _tables(op.connection, name, link)

    def act() -> TableView:
        for table in _in_play(tables).values():
            table.take_over(by=by.actor.id)
        return _view(name, tables)

    return _perform(op, by, {"link": link}, TableView, act)


def _tables(connection: Connection, table: str, only: str = "") -> dict[str, Table]:
    links = [only] if only else links_at(connection, table)
    tables = {link: table_of(connection, link, table) for link in links}
    if not tables:
        verify_stands(connection, "a jackpot", table)
    return tables


def _in_play(tables: Mapping[str, Table]) -> Mapping[str, Table]:
    """Return the links on which the round is open, locked in the order of their names; all if none is."""
    rounds = {link: table.round() for link, table in tables.items()}
    return {link: tables[link] for link, round_ in rounds.items() if round_.phase != "idle"} or tables


def _view(table: str, tables: Mapping[str, Table]) -> TableView:
    rounds = {link: round_view(link_table.seen()) for link, link_table in tables.items()}
    numbers: Sequence[int] = [view.round for view in rounds.values()]
    return TableView(table=table, round=max(numbers), links=rounds)
