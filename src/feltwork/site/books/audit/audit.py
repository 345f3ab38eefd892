"""The audit: replay the books, export them, and trace an award back to the rule that gives it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from feltwork.problem import Problem
from feltwork.site.books.audit import export
from feltwork.site.books.audit.day_close import sheet_problems
from feltwork.site.books.audit.day_heads import head_problems
from feltwork.site.books.audit.replay import audit as replay
from feltwork.site.books.audit.replay import audit_period
from feltwork.site.books.audit.site_key import site_key_in
from feltwork.site.books.authorize import authorize_any
from feltwork.site.books.awards.provenance import awards_found, working
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.fields import with_example
from feltwork.site.books.floors.floor_files import period_of
from feltwork.site.books.floors.site import site_name, staff_names
from feltwork.site.books.journal.journal import entries_after, last_entry
from feltwork.site.books.journal.link_state import read_meters
from feltwork.site.books.links.links import hand_names
from feltwork.site.books.links.meters import PaytableName
from feltwork.site.books.links.versions import link_kinds
from feltwork.site.books.reports import Row
from feltwork.site.books.reports.report import ReportRequest
from feltwork.site.books.reports.reports import run
from feltwork.site.books.tables.decisions import AddedSeat, added_seat
from feltwork.titles.hand_names import hand_name

_ENTRIES = 50


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class AuditResult:
    """The size of an audit, and the first error of each link."""

    site: str
    period: str
    sound: bool
    links: int
    entries: int
    rounds: int
    problems: Sequence[Problem]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainEnd:
    """The last entry of a link's chain."""

    link: str
    title: str
    entry: int
    hash: str
    player_funds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditorView:
    """The ends of all chains, and the last awards."""

    site: str
    links: Sequence[ChainEnd]
    awards: Sequence[Row]


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalView:
    """One page of a link's chain."""

    site: str
    link: str
    last: int
    entries: Sequence[Row]
    #: First entries of the adjacent pages; None if there is none.
    older: int | None
    newer: int | None
    #: Row of the paytable -> approved name of the hand.
    hand_names: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundHistory:
    """The record of one round."""

    site: str
    table: str
    number: int
    steps: Sequence[Row]
    #: Row of a paytable -> approved name of the hand.
    hand_names: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Restart:
    """The restart amount of a meter after an award."""

    seed: int
    reserve: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedParagraph:
    """A paragraph of a letter, and its location."""

    id: str
    where: str
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardProvenance:
    """An award traced back: steps, meter, contributions, row of the paytable, letter."""

    site: str
    link: str
    award: str
    title: str
    amount: int
    status: str
    table: str
    round: int
    seat: int
    hand: str
    #: The approved name of the hand.
    hand_name: str
    level: str
    from_meter: int
    from_house: int
    restart: Restart
    pays: str
    paytable: PaytableName
    link_version: str
    wager: int
    envy: int
    paragraphs: Sequence[CitedParagraph]
    #: The entry that booked its round, and how many wagers were on it.
    entry: int
    wagers: int
    #: Growth of its meter: the start at its last true reset, the changes, and the final amount.
    growth: Sequence[Row]
    steps: Sequence[Row]
    #: How its seat was added after START GAME.
    added: AddedSeat | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardSearch:
    """A search for confirmed awards; with a seed, a sample of them."""

    day: str = "ALL"
    patron: str = ""
    table: str = ""
    amount: int | None = None
    #: Seed of a sample, which is in order of the SHA-256 of ``seed/link/award``.
    seed: str = ""
    limit: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundAwards:
    """The awards of a search or a sample."""

    site: str
    day: str
    awards: Sequence[Row]


_STEP = ("entry", "booked_at", "step", "person", "meter_before", "meter_after")
_OF_AWARD = ("amount", "status", "table", "round", "seat", "hand", "level", "from_meter", "from_house")


def audit(connection: Connection, day: str = "ALL") -> AuditResult:
    """Replay every chain from its first entry; for a single day, check its entries inside the database."""
    period = period_of(connection, day)
    result = replay(connection) if day == "ALL" else audit_period(connection, period)
    result.problems += head_problems(connection) + sheet_problems(connection) if day == "ALL" else []
    return AuditResult(
        site=site_name(connection),
        period=period.name,
        sound=not result.problems,
        links=result.links,
        entries=result.entries,
        rounds=result.rounds,
        problems=result.problems,
    )


def audit_books(op: Operation) -> AuditResult:
    """Replay every chain, for those who may read the books."""
    authorize_any(op, "read_books", about="audit")
    return audit(op.connection)


def export_books(
    connection: Connection, target: Path, day: str = "ALL", *, keys: Path | None = None
) -> Mapping[str, Any]:
    """Write a day of the books, or all of them, as a folder or ``.tar``; return the manifest.

    The site key, if the folder ``keys`` has it, signs the export.
    """
    return export.export(connection, target, period_of(connection, day), site_key_in(keys))


def export_file(op: Operation, day: str) -> tuple[Path, Callable[[], None]]:
    """Write a ``.tar`` of a day; return it with a function that removes it after sending."""
    authorize_any(op, "read_books", about=f"export {day}")
    folder = Path(mkdtemp(prefix="feltwork-bundle-"))
    file = folder / f"feltwork-{period_of(op.connection, day).name}.tar"
    export_books(op.connection, file, day, keys=op.policy.keys)

    def remove() -> None:
        file.unlink()
        folder.rmdir()

    return file, remove


def overview(op: Operation) -> AuditorView:
    """The ends of all chains, and the last awards."""
    return AuditorView(
        site=site_name(op.connection),
        links=[_end(op.connection, link) for link in link_kinds(op.connection)],
        awards=run(op, "hits"),
    )


def journal(op: Operation, link: str, after: int = -1) -> JournalView:
    """Show the entries of a chain after a number, or the last page."""
    authorize_any(op, "read_books", about=link)
    last = last_entry(op.connection, link)
    if last is None:
        raise unknown(f"link {link}")
    first = max(0, last - _ENTRIES) if after < 0 else after
    return JournalView(
        site=site_name(op.connection),
        link=link,
        last=last,
        entries=entries_after(op.connection, link, after=first, limit=_ENTRIES),
        older=max(0, first - _ENTRIES) if first else None,
        newer=first + _ENTRIES if first + _ENTRIES < last else None,
        hand_names=hand_names(op.connection, link),
    )


def round_history(op: Operation, table: str, number: int) -> RoundHistory:
    """Show the record of one round, for a patron dispute."""
    steps = run(op, "dispute", ReportRequest(table=table, round=number)) if 0 < number <= 10**12 else ()
    if not steps:
        raise unknown(f"round {number} at {table}")
    links = {step["about"]["link"] for step in steps if "link" in step["about"]}
    return RoundHistory(
        site=site_name(op.connection),
        table=table,
        number=number,
        steps=steps,
        hand_names=hand_names(op.connection, *links),
    )


def provenance(op: Operation, link: str, award: str) -> AwardProvenance:
    """Show the provenance of an award."""
    authorize_any(op, "read_books", about=f"award {award}")
    award_provenance = provenance_of(op.connection, link, award)
    if award_provenance is None:
        raise unknown(f"{link}, award {award}")
    return award_provenance


def provenance_of(connection: Connection, link: str, award: str) -> AwardProvenance | None:
    """Return the provenance of an award; None if it does not exist or its round is not booked yet."""
    derivation = working(connection, link, award)
    if derivation is None:
        return None
    first, rule = derivation.steps[0], derivation.rule
    names = staff_names(connection)
    return AwardProvenance(
        site=site_name(connection),
        link=link,
        award=award,
        title=rule.link.title.title,
        **{name: first[name] for name in _OF_AWARD},
        hand_name=hand_name(rule.link.paytable, first["hand"]),
        restart=Restart(seed=first["restart_seed"], reserve=first["restart_reserve"]),
        pays=str(rule.row.pays),
        paytable=PaytableName(name=rule.link.paytable.name, fingerprint=rule.link.paytable.fingerprint),
        link_version=rule.link.fingerprint,
        wager=rule.link.wager,
        envy=rule.row.envy_for(rule.link.wager),
        paragraphs=[
            CitedParagraph(id=paragraph.id, where=str(paragraph), says=paragraph.says)
            for paragraph in rule.paragraphs
        ],
        entry=derivation.entry,
        wagers=derivation.wagers,
        growth=derivation.growth,
        steps=[
            {name: step[name] for name in _STEP}
            | {"person": ", ".join(names.get(one, one) for one in step["person"].split(", "))}
            for step in derivation.steps
        ],
        added=added_seat(connection, link, first["table"], first["round"], first["seat"]),
    )


def find_awards(op: Operation, search: AwardSearch) -> FoundAwards:
    """Find awards, or draw a sample, for those who may read the books."""
    authorize_any(op, "read_books", about="awards")
    return draw_awards(op.connection, search)


def draw_awards(connection: Connection, search: AwardSearch) -> FoundAwards:
    """Find awards, or draw a sample; the same seed draws the same awards from the same books."""
    covers = period_of(connection, search.day)
    criteria = {**asdict(search), "since": covers.since, "until": covers.until}
    del criteria["day"]
    rows = awards_found(connection, **criteria)
    names = {link: hand_names(connection, link) for link in {row["link"] for row in rows}}
    awards = [{**row, "hand": names[row["link"]].get(row["hand"], row["hand"])} for row in rows]
    return FoundAwards(site=site_name(connection), day=covers.name, awards=awards)


def _end(connection: Connection, link: str) -> ChainEnd:
    snapshot = read_meters(connection, link)
    return ChainEnd(
        link=link,
        title=snapshot.state.link.title.title,
        entry=snapshot.tail.number,
        hash=snapshot.tail.hash,
        player_funds=snapshot.state.player_funds,
    )
