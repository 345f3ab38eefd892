"""A floor: a site's tables, links and people as values, and the links as `progressive` runs them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo

from feltwork import __version__, money
from feltwork.money import CENT, Micros
from feltwork.problem import Problem
from feltwork.site.compliance.approvals_register import Component, listed_without_rules
from feltwork.site.compliance.jurisdiction import jurisdiction
from feltwork.site.progressive.link import (
    HOUSE_OPTIONS,
    NO_CAP,
    Controls,
    Level,
    Link,
    LinkKind,
    LockAt,
    options_of,
)
from feltwork.titles import registry
from feltwork.titles.bet_limits import BetLimits, TableLimits, bet_limits
from feltwork.titles.paytables.paytable import Paytable
from feltwork.titles.title import Game, Jackpot, OptionValue
from feltwork.toml_locations import Document, Place

#: Software of table controllers: the name of this release, and the wildcard.
OWN_SOFTWARE = f"feltwork {__version__}"
ANY_SOFTWARE = "any"

#: The layouts of a sign.
SignLayout: TypeAlias = Literal["paytable", "meters", "marquee"]
#: How a table detects jackpot wagers.
Entry: TypeAlias = Literal["sensors", "dealer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GamblingDay:
    """The accounting day, from a set hour to the same hour of the next date in the site's time zone."""

    time_zone: str
    starts_at_hour: int

    def bounds(self, day: date) -> tuple[datetime, datetime]:
        """Return the start and end of a day; a clock change makes it longer or shorter [WA-25]."""
        begins, ends = (
            datetime.combine(calendar_day, time(self.starts_at_hour), ZoneInfo(self.time_zone))
            for calendar_day in (day, day + timedelta(days=1))
        )
        return begins, ends

    def of(self, instant: datetime) -> date:
        """Return the day of an instant; before the starting hour, it is the previous day."""
        there = instant.astimezone(ZoneInfo(self.time_zone)).replace(tzinfo=None)
        return (there - timedelta(hours=self.starts_at_hour)).date()


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorTable:
    """One table as the floor file describes it."""

    place: Place
    id: str
    game: Game
    #: The game's name on the layout, if several titles are dealt by the same rules.
    known_as: str
    location: str
    seats: int
    #: The maximum number of rounds that people can deal in an hour.
    rounds_per_hour: int
    #: The people who may deal it; empty if every dealer may.
    dealers: tuple[str, ...]
    entry: Entry
    sensors: int
    shows_meter: bool
    manufacturer: str
    options: Mapping[str, OptionValue]
    limits: TableLimits
    paytables: Mapping[str, Paytable]
    smallest_chip: Micros
    #: The maximum wins of a round, for all players and for one; None without a limit.
    table_aggregate: Micros | None
    player_aggregate: Micros | None
    approvals: Mapping[str, str]
    #: Shuffler, its mode, shoe and display, if the file names them.
    equipment: Mapping[str, str]

    @property
    def lacks_rules_of(self) -> str:
        """The listed title on the layout whose rules Feltwork does not have, if any."""
        return listed_without_rules(self.known_as)

    @property
    def bets(self) -> tuple[BetLimits, ...]:
        """The minimum and maximum of every bet of the game."""
        return bet_limits(self.game, self.limits, self.paytables)

    @property
    def decks(self) -> int:
        """The number of decks in the shoe."""
        return int(self.options.get("decks", 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Meter:
    """One level of a link: a meter of a progressive, or a posted prize of a house jackpot."""

    place: Place
    level: str
    seed: Micros = 0
    contribution: int = 0
    reserve: int = 0
    #: The amount that a house jackpot posts when it opens.
    amount: Micros = 0
    cap: Micros = NO_CAP
    #: The current amount, if the link is already running.
    now: Micros | None = None
    unreasonable: Micros | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOptions:
    """The layout and sound of a link's sign."""

    layout: SignLayout = "paytable"
    sound: bool = False


@dataclass(frozen=True, kw_only=True)
class FloorLink:
    """Tables that play for one set of meters, or for the posted prizes of one house jackpot."""

    place: Place
    id: str
    kind: LinkKind
    jackpot: Jackpot
    variant: str
    wager: Micros
    tables: tuple[str, ...]
    executive_above: Micros
    manufacturer: str
    interoperability_approval: str
    #: The reference of the access plan for the controller.
    access_plan: str
    paytable: Paytable
    meters: tuple[Meter, ...]
    controls: Controls
    lock_at: LockAt
    options: Mapping[str, OptionValue]
    executive_levels: tuple[str, ...]
    cut_off: str
    overflow: str
    notice_days: int | None
    #: The approval of internal controls that choose an unusual policy.
    internal_controls: str
    #: The components of the progressive system, if the file names them.
    system: tuple[Component, ...]
    #: The approval for anything that no approval letter covers.
    approval: str
    sign: SignOptions = SignOptions()

    @property
    def is_house(self) -> bool:
        """Whether it is a house jackpot."""
        return self.kind == "house"

    def meter(self, level: str) -> Meter | None:
        """The meter of a level."""
        return next((meter for meter in self.meters if meter.level == level), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A person who works at the site, with roles."""

    place: Place
    id: str
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation:
    """An uncertain rule that the operator has settled with a cited text."""

    place: Place
    rule: str
    value: object
    reference: str


@dataclass(frozen=True, kw_only=True)
class Floor:
    """The contents of a floor file."""

    site: str
    location: str
    jurisdiction: str
    disputes: str
    cannot_win: str = ""
    count_tolerance: Micros = CENT
    device_software: tuple[str, ...] = ()
    #: The approved fingerprints of titles from third-party packages.
    titles: Mapping[str, str] = field(default_factory=dict)
    day: GamblingDay
    tables: tuple[FloorTable, ...]
    links: tuple[FloorLink, ...]
    people: tuple[Member, ...]
    confirmations: tuple[Confirmation, ...]
    document: Document = field(repr=False, compare=False)

    @cached_property
    def table_by_id(self) -> Mapping[str, FloorTable]:
        """The tables, by their id."""
        return {table.id: table for table in self.tables}

    def knows_software(self, name: str) -> bool:
        """Whether a table controller with this software is accepted [WA-31]."""
        return name in (OWN_SOFTWARE, *self.device_software) or ANY_SOFTWARE in self.device_software

    def tables_of(self, link: FloorLink) -> tuple[FloorTable, ...]:
        """The tables of a link."""
        return tuple(self.table_by_id[name] for name in link.tables)

    def links_of(self, table: FloorTable) -> tuple[FloorLink, ...]:
        """The jackpots on a table."""
        return tuple(link for link in self.links if table.id in link.tables)


def titles_from_packages(floor: Floor) -> set[str]:
    """Return the titles of a floor that do not come with Feltwork."""
    played = {table.game.name for table in floor.tables} | {link.jackpot.name for link in floor.links}
    return played - set(registry.own_names())


def why_not_on_floor(floor: Floor, link: str, table: str, seats: Collection[int]) -> Problem | None:
    """Return why a table may not play a link with these seats under the floor in effect, or None [GEN-06]."""
    where = f"table {table}"
    floor_table = floor.table_by_id.get(table)
    if floor_table is None:
        remedy = f"choose from: {', '.join(floor.table_by_id)}, or apply a floor that has it"
        return Problem(where, "it is not in the current floor file", remedy, "GEN-06")
    offered = [floor_link.id for floor_link in floor.links_of(floor_table)]
    if link not in offered:
        what = f"its game, {floor_table.known_as or floor_table.game.name}, is not played for {link} there"
        return Problem(where, what, f"it has: {', '.join(offered) or 'no jackpot'}", "GEN-06")
    beyond = [seat for seat in seats if not 1 <= seat <= floor_table.seats]
    if beyond:
        what = f"it has no seat {', '.join(map(str, sorted(beyond)))}"
        return Problem(where, what, f"its seats are 1 to {floor_table.seats}", "GEN-06")
    return None


def link_from_floor(floor: Floor, link: FloorLink) -> Link:
    """Return the link in the form that `progressive` runs."""
    seats = max((table.seats for table in floor.tables_of(link)), default=1)
    chosen = {**(HOUSE_OPTIONS if link.is_house else {}), **link.options}
    return Link(
        id=link.id,
        kind=link.kind,
        jackpot=link.jackpot.name,
        paytable=link.paytable,
        wager=link.wager,
        levels=tuple(_level(link, meter, seats) for meter in link.meters),
        controls=link.controls,
        lock_at=link.lock_at,
        executive_above=link.executive_above,
        executive_levels=link.executive_levels,
        options=options_of(registry.jackpot(link.jackpot.name), **chosen),
        variant=link.variant,
        executive_alone=jurisdiction(floor.jurisdiction).executive_alone,
    )


def _level(link: FloorLink, meter: Meter, seats: int) -> Level:
    """Return a level; the default limit for one round is the contribution of a full table."""
    full_table = seats * money.part(link.wager, meter.contribution)
    return Level(
        name=meter.level,
        seed=meter.seed,
        contribution=meter.contribution,
        reserve=meter.reserve,
        unreasonable=full_table if meter.unreasonable is None else meter.unreasonable,
        cap=meter.cap,
        amount=meter.amount,
    )
