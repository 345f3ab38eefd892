"""Tables: one START GAME, END GAME and MISDEAL for all jackpots of a layout.

A round has one number on all links of its table. Each link has its own books; a button takes their locks in
the order of their names, so two buttons cannot deadlock.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType

from feltwork.site.books.authorize import authorize
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.fields import with_example
from feltwork.site.books.floors.floor_files import floor_in_force, verify_stands
from feltwork.site.books.floors.site import links_at, verify_dealer
from feltwork.site.books.journal.link_state import lock_link
from feltwork.site.books.links.links import BookedView, booked_view, meters_of
from feltwork.site.books.tables.round_quota import verify_quota
from feltwork.site.books.tables.rounds import EndedView, RoundView, StartedView, round_view, table_of
from feltwork.site.books.tables.table_rounds import Table
from feltwork.site.books.tables.table_status_rows import last_round
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive.fact_serializer import as_plain
from feltwork.site.progressive.round import verify_listed


@dataclass(frozen=True, slots=True, kw_only=True)
class StartGame:
    """START GAME: the seats with a chip of each jackpot, and the seats with a regular wager."""

    table: str
    #: Link -> seats; a jackpot that is not listed has chips on its covered sensors.
    wagers: Mapping[str, tuple[int, ...]]
    #: By default, the seats with a jackpot chip.
    players: tuple[int, ...] | None = None
    #: Only this jackpot; empty for all jackpots of the table.
    link: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndGame:
    """END GAME."""

    table: str
    link: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidRound:
    """MISDEAL."""

    table: str
    reason: str
    link: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeOver:
    """Continue the open round of an unresponsive controller at the screen."""

    table: str
    link: str = ""


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
    op: Operation, command: StartGame, *, sensors: Mapping[str, Collection[int]] = MappingProxyType({})
) -> TableStartedView:
    """Lock the seats of every jackpot of the table and book the round on each link [LT-01].

    ``sensors`` are the covered seats of each link with a recent reading; listed seats must match them. A
    stopped link is skipped: its seats are not locked, and the dealer is notified.
    """
    authorize(op, Command(name="start_game", about=command.table))
    verify_dealer(op.connection, op.actor.id, command.table)
    for link, seats in command.wagers.items():
        table_of(op.connection, link, command.table, {*seats, *(command.players or ())})
    tables = _tables(op.connection, command.table, command.link)
    if floor_in_force(op.connection).table_by_id[command.table].entry != "sensors":
        sensors = {}

    def act() -> TableStartedView:
        verify_quota(op.connection, command.table, 1, by=op.actor.id)
        for link in set(command.wagers) & set(tables):
            seats = command.wagers[link]
            verify_listed(command.table, seats, sensors.get(link, seats))
        wagers = {**sensors, **command.wagers}
        for link in set(sensors) & set(tables):
            verify_stands(op.connection, link, command.table, sensors[link])
        chips = {seat for link in tables for seat in wagers.get(link, ())}
        players = chips if command.players is None else command.players
        is_open = {link: lock_link(op.connection, link).state.takes_wagers for link in tables}
        number = last_round(op.connection, command.table) + 1
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
        return TableStartedView(table=command.table, round=number, started=started, refused=refused)

    return op.perform(asdict(command), TableStartedView, act)


def end_game(op: Operation, command: EndGame) -> TableEndedView:
    """End the round on every link, and total and book the tray pays [LT-09]."""
    authorize(op, Command(name="end_game", about=command.table))
    tables = _tables(op.connection, command.table, command.link)

    def act() -> TableEndedView:
        return TableEndedView(
            ended={link: EndedView(ended=as_plain(table.end())) for link, table in _in_play(tables).items()}
        )

    return op.perform(asdict(command), TableEndedView, act)


def void_round(op: Operation, command: VoidRound) -> TableVoidedView:
    """Void a misdealt round on every link; its wagers are returned to the players."""
    authorize(op, Command(name="misdeal", about=command.table))
    tables = _tables(op.connection, command.table, command.link)

    def act() -> TableVoidedView:
        voided = {
            link: booked_view(table.misdeal(reason=command.reason, by=op.actor.id))
            for link, table in _in_play(tables).items()
        }
        return TableVoidedView(voided=voided)

    return op.perform(asdict(command), TableVoidedView, act, why=command.reason)


def take_over(op: Operation, command: TakeOver) -> TableView:
    """Take over the open round of an unresponsive controller; it regains control between rounds."""
    authorize(op, Command(name="misdeal", about=command.table))
    tables = _tables(op.connection, command.table, command.link)

    def act() -> TableView:
        for table in _in_play(tables).values():
            table.take_over(by=op.actor.id)
        return _view(command.table, tables)

    return op.perform(asdict(command), TableView, act)


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
