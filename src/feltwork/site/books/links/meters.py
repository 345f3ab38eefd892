"""Meters: the state of a link for screens, from one snapshot of the books."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from feltwork import money
from feltwork.site.books.authorize import authorize_any
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.floors.floor_files import Period
from feltwork.site.books.floors.site import period, site_name, verify_link
from feltwork.site.books.journal.link_state import read_meters
from feltwork.site.books.links.links import LinkView, cap_of, link_view, view_of
from feltwork.site.books.links.versions import link_kinds
from feltwork.site.books.reports import Row
from feltwork.site.books.reports.report import Pool, ReportRequest
from feltwork.site.books.reports.reports import run
from feltwork.site.progressive.link import Level
from feltwork.site.progressive.state import LinkState


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelAmount:
    """The amount on the meter of a level as signs show it, and the amount set aside for open claims."""

    link: str
    level: str
    amount: int
    pending: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkStatus:
    """A link with its meters and stops."""

    link: str
    title: str
    life: str
    takes_wagers: bool
    stops: tuple[str, ...]
    levels: tuple[LevelAmount, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TopMeter:
    """The highest level of a link that is open."""

    link: str
    title: str
    level: str
    meter: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterSheet:
    """A link, and every change of one of its pools on a gambling day."""

    site: str
    link: LinkView
    title: str
    level: str
    pool: Pool
    day: str
    sheet: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelMeter:
    """Every figure of a level."""

    level: str
    current: int
    pending: int
    base: int
    limit: int | None
    increment: str
    #: Rate that feeds the reserve, which no sign shows and the next restart uses.
    hidden_increment: str
    reset: int
    overflow: int
    wagers: int
    hits: int
    won: int
    paid: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PaytableName:
    """A paytable and its fingerprint."""

    name: str
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MetersView:
    """The meters of a link on demand."""

    site: str
    link: str
    title: str
    paytable: PaytableName
    wager: int
    takes_wagers: bool
    stops: Mapping[str, int]
    levels: tuple[LevelMeter, ...]
    entry: int
    as_of: int


def states(connection: Connection) -> list[LinkState]:
    """The state of every link."""
    return [read_meters(connection, link).state for link in link_kinds(connection)]


def top_meters(connection: Connection) -> list[TopMeter]:
    """Return the highest level of each open link, largest first; these meters are public."""
    meters = []
    for state in states(connection):
        top = state.link.level_names[0]
        if state.life == "open":
            title = state.link.title.title
            meters.append(TopMeter(link=state.link.id, title=title, level=top, meter=state.shown(top)))
    return sorted(meters, key=lambda meter: -meter.meter)


def link_statuses(connection: Connection) -> tuple[LinkStatus, ...]:
    """Return every link with its meters and stops."""
    return tuple(
        LinkStatus(
            link=state.link.id,
            title=state.link.title.title,
            life=state.life,
            takes_wagers=state.takes_wagers,
            stops=tuple(sorted(state.stops)),
            levels=level_amounts(state),
        )
        for state in states(connection)
    )


def level_amounts(state: LinkState) -> tuple[LevelAmount, ...]:
    """The amount on every meter of a link."""
    link = state.link
    return tuple(
        LevelAmount(link=link.id, level=level, amount=state.shown(level), pending=state.pending(level))
        for level in link.level_names
    )


def funds(op: Operation) -> list[Row]:
    """Return the required bank balance of each link, and its meters."""
    return [
        {
            **{name: value for name, value in row.items() if name not in ("bank_balance", "over_at_count")},
            "meters": [
                {"level": level, **asdict(pools)}
                for level, pools in link_view(op.connection, row["link"]).meters.items()
            ],
        }
        for row in run(op, "funds")
    ]


def meter_sheet(op: Operation, link: str, *, level: str, pool: Pool, day: str) -> MeterSheet:
    """Show every change of one pool on a gambling day, for a screen or for paper [WA-08]."""
    authorize_any(op, "read_books", about=f"meter sheet {link}")
    verify_link(op.connection, link)
    snapshot = read_meters(op.connection, link)
    levels = snapshot.state.link.level_names
    chosen = level or levels[0]
    if chosen not in levels:
        raise unknown(f"level {chosen} of {link}")
    covers: Period = period(op.connection, day)
    request = ReportRequest(link=link, level=chosen, pool=pool, since=covers.since, until=covers.until)
    return MeterSheet(
        site=site_name(op.connection),
        link=view_of(snapshot),
        title=snapshot.state.link.title.title,
        level=chosen,
        pool=pool,
        day=covers.name,
        sheet=tuple(run(op, "meter_sheet", request)),
    )


def meters(op: Operation, link: str) -> MetersView:
    """Show current, overflow, hits, wins, base, limit and increments of each level [GL-01]."""
    authorize_any(op, "watch", about=link)
    verify_link(op.connection, link)
    snapshot = read_meters(op.connection, link)
    state = snapshot.state
    return MetersView(
        site=site_name(op.connection),
        link=link,
        title=state.link.title.title,
        paytable=PaytableName(name=state.link.paytable.name, fingerprint=state.link.paytable.fingerprint),
        wager=state.link.wager,
        takes_wagers=state.takes_wagers,
        stops=dict(state.stops),
        levels=tuple(_level(state, level) for level in state.link.levels),
        entry=snapshot.tail.number,
        as_of=snapshot.now,
    )


def _level(state: LinkState, level: Level) -> LevelMeter:
    counted = state.counters[level.name]
    return LevelMeter(
        level=level.name,
        current=state.shown(level.name),
        pending=state.pending(level.name),
        base=level.seed,
        limit=cap_of(state, level.name),
        increment=money.rate_text(level.contribution),
        hidden_increment=money.rate_text(level.reserve),
        reset=level.seed + state.reserve(level.name),
        overflow=counted.overflow,
        wagers=counted.wagers,
        hits=counted.hits,
        won=counted.won,
        paid=counted.paid,
    )
