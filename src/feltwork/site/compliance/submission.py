"""The package that a card room submits with its internal controls, made from the floor file [LT-17]."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from feltwork import money
from feltwork.site.compliance import roles
from feltwork.site.compliance.approvals_register import FIRST, JACKPOTS
from feltwork.site.compliance.check import check, rulings_of
from feltwork.site.compliance.finding import Finding
from feltwork.site.compliance.floor import Floor, FloorLink, FloorTable, link_from_floor, titles_from_packages
from feltwork.site.compliance.link_odds import Uncounted, disputed, exactly, percent, stated_returns
from feltwork.site.compliance.posting import PostingSection, dollars, sections
from feltwork.sources import letters
from feltwork.titles import registry
from feltwork.titles.title import Game, Jackpot


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionTable:
    """Rows under a heading, with a sentence about them."""

    title: str
    says: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TitleProcedure:
    """The rules of a title as its rules.md states them, each with its paragraph of the letter."""

    title: str
    letter: str
    markdown: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedNotice:
    """The notice that hangs at a table."""

    table: str
    game: str
    sections: tuple[PostingSection, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """Everything in the package."""

    site: str
    location: str
    jurisdiction: str
    basis: str
    day: str
    tables: tuple[SubmissionTable, ...]
    notices: tuple[PostedNotice, ...]
    procedures: tuple[TitleProcedure, ...]
    findings: tuple[Finding, ...]


def make_submission(floor: Floor, text: str, *, on: date) -> Submission:
    """Collect the package for a floor; ``text`` is its file, for the fingerprint."""
    rulings = rulings_of(floor, on=on)
    return Submission(
        site=floor.site,
        location=floor.location,
        jurisdiction=rulings.jurisdiction.offered_as,
        basis=rulings.jurisdiction.basis,
        day=on.isoformat(),
        tables=(
            _tables(floor),
            _links(floor),
            _approvals(floor),
            _limits(floor),
            _returns(floor),
            _roles(),
            _people(floor),
            _fingerprints(floor, text),
        ),
        notices=tuple(
            PostedNotice(
                table=table.id, game=_name(table), sections=sections(floor, table, rulings, odds=True)
            )
            for table in _one_of_each(floor)
        ),
        procedures=tuple(_procedure(title) for title in _titles(floor)),
        findings=check(floor, on=on),
    )


def _name(table: FloorTable) -> str:
    return table.known_as or table.game.title


def _titles(floor: Floor) -> list[Game | Jackpot]:
    games: list[Game | Jackpot] = [table.game for table in floor.tables if not table.lacks_rules_of]
    titles = [*games, *(link.jackpot for link in floor.links)]
    return list({title.name: title for title in titles}.values())


def _one_of_each(floor: Floor) -> list[FloorTable]:
    """Return the first of the tables that would share a notice."""
    alike = {
        (_name(table), table.bets, tuple(link.id for link in floor.links_of(table))): table
        for table in reversed(floor.tables)
    }
    return list(reversed(alike.values()))


def _tables(floor: Floor) -> SubmissionTable:
    return SubmissionTable(
        title="Tables",
        says="Every table, its game and its equipment.",
        columns=(
            "Table",
            "Game",
            "Location",
            "Seats",
            "Jackpot wagers",
            "Manufacturer",
            "Equipment",
            "Jackpots",
        ),
        rows=tuple(
            (
                table.id,
                _name(table),
                table.location,
                str(table.seats),
                "sensors" if table.entry == "sensors" else "entered by the dealer",
                table.manufacturer,
                ", ".join(table.equipment.values()),
                ", ".join(link.id for link in floor.links_of(table)),
            )
            for table in floor.tables
        ),
    )


def _links(floor: Floor) -> SubmissionTable:
    return SubmissionTable(
        title="Jackpots",
        says="Every link with its meters and the options chosen for it.",
        columns=("Link", "Jackpot", "Tables", "Wager", "Meters", "Options", "Executive above"),
        rows=tuple(
            (
                link.id,
                f"{link.jackpot.title}, paytable {link.paytable.id}",
                ", ".join(link.tables),
                dollars(link.wager),
                "; ".join(_meters(link)),
                "; ".join(
                    f"{name.replace('_', ' ')}: {str(value).replace('_', ' ').lower()}"
                    for name, value in link_from_floor(floor, link).options.items()
                ),
                dollars(link.executive_above),
            )
            for link in floor.links
        ),
    )


def _meters(link: FloorLink) -> Iterator[str]:
    for meter in link.meters:
        if link.is_house:
            yield f"{meter.level} posted at {dollars(meter.amount)}"
        else:
            rates = (
                f"{money.rate_text(meter.contribution)} and {money.rate_text(meter.reserve)} to the reserve"
            )
            yield f"{meter.level} from {dollars(meter.seed)}, {rates}"


def _approvals(floor: Floor) -> SubmissionTable:
    rows = []
    for first in FIRST:
        if first.jurisdiction == floor.jurisdiction:
            held = dict.fromkeys(table.approvals.get(first.approval, "") for table in floor.tables)
            rows.append((first.asks, ", ".join(filter(None, held)) or "not on file", first.requirement))
    rows += [(_letter(title), title.title, "LT-17") for title in _titles(floor) if title.letter]
    rows += [
        (f"{link.id}: the game must be one that its letter names", JACKPOTS[link.jackpot.name].cites, "WA-13")
        for link in floor.links
        if link.jackpot.name in JACKPOTS
    ]
    rows += [
        (f"{link.id}: approval beyond the letters", link.approval, "LT-16")
        for link in floor.links
        if link.approval
    ]
    return SubmissionTable(
        title="Approvals",
        says="What must be on file before play, and the letters that the titles are approved by.",
        columns=("Approval", "Reference", "Requirement"),
        rows=tuple(rows),
    )


def _limits(floor: Floor) -> SubmissionTable:
    alike: dict[object, list[FloorTable]] = {}
    for table in reversed(floor.tables):
        if not table.lacks_rules_of:
            alike.setdefault((table.game.name, table.bets), []).insert(0, table)
    return SubmissionTable(
        title="Wager limits",
        says="The minimum and maximum of every bet; tables with the same limits share a row.",
        columns=("Tables", "Bet", "Minimum", "Maximum", "Source"),
        rows=tuple(
            (
                ", ".join(table.id for table in tables),
                limits.bet.replace("_", " "),
                dollars(limits.minimum) if limits.minimum else "none",
                dollars(limits.maximum),
                limits.cites,
            )
            for tables in alike.values()
            for limits in tables[0].bets
        ),
    )


def _returns(floor: Floor) -> SubmissionTable:
    rows: list[tuple[str, ...]] = []
    for link in floor.links:
        for table in {table.game.name: table for table in reversed(floor.tables_of(link))}.values():
            stated = stated_returns(link, table)
            rows += [(link.id, table.game.title, *[""] * 4, says) for says in disputed(link.paytable, "hold")]
            if isinstance(stated, Uncounted):
                rows.append((link.id, table.game.title, "", "", "", "", stated.why))
                continue
            for side in dict.fromkeys(stated_return.side for stated_return in stated):
                back = [stated_return.returns for stated_return in stated if stated_return.side == side]
                figures = (percent(side_return.total) for side_return in back)
                rows.append((link.id, table.game.title, side, *figures, exactly(back[0].kept)))
    return SubmissionTable(
        title="Returns",
        says="The long-run return of each jackpot wager: to a bettor who is alone at the table, "
        "with half of the seats betting, and with all of them.",
        columns=("Link", "Game", "Side", "Alone", "Half", "All", "House keeps of a lone bettor's wager"),
        rows=tuple(rows),
    )


def _roles() -> SubmissionTable:
    return SubmissionTable(
        title="Roles",
        says="What each role may do; commands marked * take two people.",
        columns=("Role", "Department", "May", "Approves only", "Requests only"),
        rows=tuple(
            (
                f"{role.label}: {role.says}",
                role.department,
                "; ".join(_command(name) for name in role.may),
                "; ".join(_command(name) for name in role.approves),
                "; ".join(_command(name) for name in role.requests),
            )
            for role in roles.ROLES.values()
        ),
    )


def _command(name: str) -> str:
    command = roles.COMMANDS[name]
    return f"{command.says}{'*' if command.two_people else ''}"


def _people(floor: Floor) -> SubmissionTable:
    return SubmissionTable(
        title="People",
        says="Who holds which role.",
        columns=("Person", "Roles"),
        rows=tuple((person.id, ", ".join(person.roles)) for person in floor.people),
    )


def _fingerprints(floor: Floor, text: str) -> SubmissionTable:
    digest = hashlib.sha256(text.encode()).hexdigest()
    paytables = {
        paytable.name: paytable.fingerprint for table in floor.tables for paytable in table.paytables.values()
    } | {link.paytable.name: link.paytable.fingerprint for link in floor.links}
    links = {f"link {link.id}": link_from_floor(floor, link).fingerprint for link in floor.links}
    titles = {f"title {name}": registry.fingerprint(name) for name in sorted(titles_from_packages(floor))}
    return SubmissionTable(
        title="Fingerprints",
        says="SHA-256 of the floor file and of everything that decides a pay.",
        columns=("What", "SHA-256"),
        rows=(("floor file", digest), *titles.items(), *sorted(paytables.items()), *links.items()),
    )


def _letter(title: Game | Jackpot) -> str:
    return str(letters()[title.letter]) if title.letter else "public rules"


def _procedure(title: Game | Jackpot) -> TitleProcedure:
    text = registry.folder(title.name).joinpath("rules.md").read_text(encoding="utf-8")
    return TitleProcedure(title=title.title, letter=_letter(title), markdown=text)
