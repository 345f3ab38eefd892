"""Documents: win page, shared win, posting sheet, dispute packet and count form, to show and to print."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

from feltwork.site.books.audit.audit import AwardProvenance, provenance_of, round_history
from feltwork.site.books.authorize import authorize_any
from feltwork.site.books.awards import payouts
from feltwork.site.books.awards.awards import AwardView, award_view, strictest_flags
from feltwork.site.books.awards.provenance import rule_of, version_of
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.floors.site import floor_in_force, period, site_name
from feltwork.site.books.journal.link_state import read_link, read_meters
from feltwork.site.books.links.meters import LevelAmount, PaytableName, level_amounts, states
from feltwork.site.books.links.signs import pays_text
from feltwork.site.books.links.versions import link_kinds
from feltwork.site.books.queries import statement
from feltwork.site.books.reports import Row
from feltwork.site.books.reports.report import ReportRequest
from feltwork.site.books.reports.reports import rows_of
from feltwork.site.books.tables.decisions import AddedSeat, added_seat
from feltwork.site.compliance import tax
from feltwork.site.compliance.check import rulings_of
from feltwork.site.compliance.floor import Floor, FloorTable
from feltwork.site.compliance.jurisdiction import Rulings
from feltwork.site.compliance.posting import PostingSection, sections
from feltwork.site.progressive.button_pays import tray_pays
from feltwork.site.progressive.life_cycle import cap_notice
from feltwork.site.progressive.state import SETTLED, Award, LinkState
from feltwork.sources import Paragraph

_RECORD = ("payee", "cards", "withheld", "written_by")


@dataclass(frozen=True, slots=True, kw_only=True)
class WinStep:
    """A step of an award with its people, and the meter before and after it."""

    step: str
    entry: int
    at: str
    person: str
    form: str | None
    meter_before: int
    meter_after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedLetters:
    """A paragraph and the letters that contain it."""

    id: str
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WinPage:
    """One award from the hand button to the payment."""

    site: str
    award: AwardView
    link: str
    jackpot: str
    title: str
    wager: int
    pays: str
    envy: int
    paytable: PaytableName
    letters: tuple[CitedLetters, ...]
    flags: tuple[tax.Flag, ...]
    steps: tuple[WinStep, ...]
    #: What a person did -> the ids of those who did it.
    people: Mapping[str, tuple[str, ...]]
    #: Seat -> what the tray pays it for this hand.
    envy_by_seat: Mapping[int, int]
    #: The payee, the cards, the tax withheld and who wrote it; None without a payout record.
    record: Mapping[str, Any] | None
    #: How its seat was added after START GAME.
    added: AddedSeat | None = None
    #: Wins of the same hand on other jackpots of the layout.
    also: tuple["WinPage", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WinDocument:
    """A win page, and what the form of a shared win adds."""

    page: WinPage
    won_at: str
    #: Address, taxpayer number, and the shares of several people; empty for those who do not pay.
    form: Mapping[str, Any]
    #: Rulings on tax forms and withholding for a share; None before the first floor.
    share_rules: Rulings | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedSection:
    """A section of a posting sheet, with the meters and notices of its link."""

    section: PostingSection
    meters: tuple[LevelAmount, ...]
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedTable:
    """Notices to post at a table."""

    id: str
    game: str
    location: str
    sections: tuple[PostedSection, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PostingSheets:
    """Notices to post at the tables of a link."""

    site: str
    link: str
    places: tuple[PostedTable, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputePacket:
    """The record of a round, with the rules in force."""

    site: str
    table: str
    number: int
    game: str
    disputes: str
    awards: tuple[AwardProvenance, ...]
    steps: Sequence[Row]
    hand_names: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CountForm:
    """The banks to count at the end of a shift, and the meters to compare with the signs."""

    site: str
    day: str
    banks: tuple[str, ...]
    pots: tuple[LevelAmount, ...]


def win_page(op: Operation, award: str, link: str = "") -> WinPage:
    """Show who won what, where, and how the amount was computed, down to the letter that grants it [LT-15].

    Link and id identify an award. Without a link, it is the award of the hand's first jackpot.
    """
    authorize_any(op, "watch", about=f"award {award} {link}".strip())
    award_keys = op.connection.execute(statement("award_links"), (award,)).fetchall()
    if link and (link, award) not in award_keys:
        raise unknown(f"award {award} of {link}")
    pages = [_win(op.connection, of, name) for of, name in sorted(award_keys, key=lambda key: key[0] != link)]
    if not pages:
        raise unknown(f"award {award}")
    return replace(pages[0], also=tuple(page for page in pages[1:] if page.link != pages[0].link))


def _win(connection: Connection, of_link: str, award: str) -> WinPage:
    state = read_link(connection, of_link).state
    claim = state.awards[award]
    booked = version_of(connection, of_link, award)
    # A claim may come before its round is booked; then only the version in force can apply.
    link = booked[0] if booked else state.link
    rule = rule_of(link, claim.hand)
    view = award_view(state, claim)
    steps = tuple(map(_step, rows_of(connection, "win_page", ReportRequest(link=link.id, award=award))))
    record = payouts.record_of(connection, link.id, award)
    stands = claim.status in ("claimed", *SETTLED)
    seats = booked[2] if booked and stands else ()
    pays = tray_pays(link, hands={claim.seat: claim.hand}, bettors=seats) if claim.seat in seats else {}
    return WinPage(
        site=site_name(connection),
        award=view,
        link=link.id,
        added=added_seat(connection, link.id, claim.table, claim.round, claim.seat),
        jackpot=link.jackpot,
        title=link.title.title,
        wager=link.wager,
        pays=pays_text(link, rule.row),
        envy=rule.row.envy_for(link.wager),
        paytable=PaytableName(name=link.paytable.name, fingerprint=link.paytable.fingerprint),
        letters=_letters(rule.paragraphs),
        flags=strictest_flags(floor_in_force(connection), amount=view.amount, wager=link.wager),
        steps=steps,
        people=_people(claim, steps, record),
        envy_by_seat={seat: pay.envy for seat, pay in sorted(pays.items()) if pay.envy},
        record={name: record[name] for name in _RECORD} if record else None,
    )


def _people(
    claim: Award, steps: Sequence[WinStep], record: Mapping[str, Any] | None
) -> dict[str, tuple[str, ...]]:
    """Who pressed, entered the cards, confirmed, witnessed and paid an award."""
    did = {step.step: tuple(step.person.split(", ")) for step in steps if step.person}
    pressed, paid = did.get("Claimed", ()), did.get("Paid", ())
    of_record = (record["written_by"],) if record else ()
    people = {
        "Pressed by": pressed,
        "Cards entered by": did.get("CardsEntered", pressed if claim.cards else of_record),
        "Confirmed by": did.get("Confirmed", ()),
        "Paid by": paid[:1],
        "Witnessed by": paid[1:],
        "Confiscated by": did.get("Confiscated", ()),
        "Reversed by": did.get("Reversed", ()),
    }
    return {label: ids for label, ids in people.items() if ids}


def win_document(op: Operation, award: str, link: str = "") -> WinDocument:
    """A win page for paper."""
    page = win_page(op, award, link)
    floor = floor_in_force(op.connection)
    won = [step.at for step in page.steps if step.step in ("Claimed", "Confirmed")]
    return WinDocument(
        page=page,
        won_at=won[0] if won else "",
        form=payouts.record_of(op.connection, page.link, award) or {} if op.actor.may("pay") else {},
        share_rules=rulings_of(floor, on=_today()) if floor else None,
    )


def posting_sheets(op: Operation, link: str, table: str = "", *, odds: bool = False) -> PostingSheets:
    """Notices to post at the tables of a link, or at one of them [WA-28]."""
    authorize_any(op, "read_books", about=link)
    floor = floor_in_force(op.connection)
    floor_link = (
        next((candidate for candidate in floor.links if candidate.id == link), None) if floor else None
    )
    if floor is None or floor_link is None:
        raise unknown(f"link {link}")
    tables = [floor_table for floor_table in floor.tables_of(floor_link) if table in ("", floor_table.id)]
    if not tables:
        raise unknown(f"table {table} of {link}")
    places = tuple(_posted(op.connection, floor, floor_table, odds=odds) for floor_table in tables)
    return PostingSheets(site=floor.site, link=link, places=places)


def dispute_packet(op: Operation, table: str, number: int) -> DisputePacket:
    """The record of one round, with the rules in force at the time."""
    history = round_history(op, table, number)
    floor = floor_in_force(op.connection)
    stands = floor.table_by_id.get(table) if floor else None
    award_keys = dict.fromkeys(
        (row["about"]["link"], row["about"]["award"])
        for row in history.steps
        if {"link", "award"} <= row["about"].keys()
    )
    traced = (provenance_of(op.connection, link, award) for link, award in award_keys)
    return DisputePacket(
        site=history.site,
        table=table,
        number=number,
        game=(stands.known_as or stands.game.title) if stands else "",
        disputes=(floor.disputes if floor else "") or "Ask the supervisor.",
        awards=tuple(award for award in traced if award is not None),
        steps=history.steps,
        hand_names=history.hand_names,
    )


def count_form(op: Operation) -> CountForm:
    """The banks of the floor, and every meter of the books [TR-02]."""
    authorize_any(op, "watch", about="count form")
    floor = floor_in_force(op.connection)
    return CountForm(
        site=site_name(op.connection),
        day=period(op.connection, "TODAY").name if floor else "",
        banks=(*(table.id for table in floor.tables), "cage") if floor else ("cage",),
        pots=tuple(pot for state in states(op.connection) for pot in level_amounts(state)),
    )


def _today() -> date:
    return datetime.now(tz=UTC).date()


def _step(row: Row) -> WinStep:
    return WinStep(
        step=row["step"],
        entry=row["entry"],
        at=row["booked_at"].strftime("%Y-%m-%d %H:%M:%S UTC"),
        person=row["person"],
        form=row["form"],
        meter_before=row["meter_before"] or 0,
        meter_after=row["meter_after"] or 0,
    )


def _letters(cited: Sequence[Paragraph]) -> tuple[CitedLetters, ...]:
    """The cited paragraphs, without duplicates across letters."""
    by_text: dict[str, list[str]] = {}
    for paragraph in cited:
        by_text.setdefault(paragraph.says, []).append(paragraph.id)
    return tuple(CitedLetters(id=", ".join(ids), says=text) for text, ids in by_text.items())


def _posted(connection: Connection, floor: Floor, table: FloorTable, *, odds: bool) -> PostedTable:
    running = {link.id for link in floor.links} & set(link_kinds(connection))
    parts = []
    for section in sections(floor, table, rulings_of(floor, on=_today()), odds=odds):
        if section.link not in running:
            parts.append(PostedSection(section=section, meters=(), notices=()))
            continue
        state = read_meters(connection, section.link).state
        parts.append(PostedSection(section=section, meters=level_amounts(state), notices=_notices(state)))
    return PostedTable(
        id=table.id,
        game=table.known_as or table.game.title,
        location=table.location,
        sections=tuple(parts),
    )


def _notices(state: LinkState) -> tuple[str, ...]:
    """Player notices for a link: caps reached, and why wagering is stopped."""
    caps = (cap_notice(state, level) for level in state.link.level_names)
    stopped = f"no jackpot wagers are taken: {', '.join(state.stops)}" if state.stops else ""
    return tuple(notice for notice in (*caps, stopped) if notice)
