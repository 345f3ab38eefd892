"""The provenance of an award: from the payment back to the meter, the paytable row and the letter."""

from collections.abc import Sequence
from dataclasses import dataclass

from psycopg.rows import dict_row

from feltwork import sources
from feltwork.site.books.connection import Connection
from feltwork.site.books.links.versions import link_from
from feltwork.site.books.queries import statement
from feltwork.site.books.reports import Row, block, rows
from feltwork.site.progressive.link import Link
from feltwork.sources import Paragraph
from feltwork.titles.paytables.paytable import Row as PaytableRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """The rule behind an award: link version, paytable row and letter."""

    link: Link
    row: PaytableRow
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardDerivation:
    """Everything that determined the amount of an award."""

    #: The steps of the award as they were booked, each with the meter before and after.
    steps: list[Row]
    rule: Rule
    #: The entry that booked its round, and the number of wagers in the round.
    entry: int
    wagers: int
    #: The meter's amount at its last true reset, the changes since, and the amount it had grown to.
    growth: list[Row]


def working(connection: Connection, link: str, award: str) -> AwardDerivation | None:
    """The provenance of an award; none for an unknown award or an unbooked round."""
    steps = rows(connection, block("win_page"), link=link, award=award)
    origin = version_of(connection, link, award)
    if not steps or origin is None:
        return None
    version, entry, seats = origin
    return AwardDerivation(
        steps=steps,
        rule=rule_of(version, steps[0]["hand"]),
        entry=entry,
        wagers=len(seats),
        growth=_growth(connection, link, steps),
    )


def awards_found(connection: Connection, **criteria: object) -> list[Row]:
    """Confirmed awards by patron, table, amount and period; with a seed, a reproducible sample."""
    return rows(connection, statement("awards_found").decode(), **criteria)


def version_of(connection: Connection, link: str, award: str) -> tuple[Link, int, Sequence[int]] | None:
    """The version under which an award's round was played, its entry and locked seats; None until booked."""
    row = connection.execute(statement("version_of_award"), (link, award)).fetchone()
    if row is None:
        return None
    body, fingerprint, entry, seats = row
    return link_from(body, fingerprint), entry, seats


def rule_of(link: Link, hand: str) -> Rule:
    """The rule by which a link pays a hand."""
    row = link.row(hand)
    assert row is not None, "a hand without a row cannot be claimed"
    known = sources.paragraphs()
    cited = (known.get(citation) for citation in sources.citations(row.cites))
    return Rule(link=link, row=row, paragraphs=tuple(paragraph for paragraph in cited if paragraph))


def _growth(connection: Connection, link: str, steps: list[Row]) -> list[Row]:
    """The growth of the meter from its last true reset to its amount before the award left it."""
    level = steps[0]["level"]
    if not level:
        return []
    locked = [step["entry"] for step in steps if step["step"] == "Locked"]
    parameters = {"link": link, "level": level, "entry": locked[-1] if locked else steps[-1]["entry"]}
    with connection.cursor(row_factory=dict_row) as cursor:
        return list(cursor.execute(statement("meter_since"), parameters))
