"""The working of an award: from what was paid back to the meter, the row of the paytable and the letter."""

from dataclasses import dataclass

from psycopg.rows import dict_row

from feltwork import sources
from feltwork.books.connection import Connection
from feltwork.books.reports import Row, report
from feltwork.books.statements import statement
from feltwork.books.versions import link_from
from feltwork.paytables.paytable import Row as PaytableRow
from feltwork.progressive.link import Link
from feltwork.sources import Paragraph


@dataclass(frozen=True, slots=True, kw_only=True)
class Working:
    """Everything that made the amount of an award."""

    #: The steps of the award as they were booked, each with the meter before and after.
    steps: list[Row]
    link: Link
    row: PaytableRow
    paragraphs: tuple[Paragraph, ...]
    #: The entry that booked its round, with how many wagers were on it.
    entry: int
    wagers: int
    #: What its meter began with, and what it had grown to.
    growth: list[Row]


def working(connection: Connection, link: str, award: str) -> Working | None:
    """The working of an award; none where the books know no such award or its round is not booked yet."""
    steps = report(connection, "win_page", link=link, award=award)
    found = connection.execute(statement("version_of_award"), (link, award)).fetchone()
    if not steps or found is None:
        return None
    body, fingerprint, entry, wagers = found
    version = link_from(body, fingerprint)
    row = next(one for one in version.paytable.rows if one.hand == steps[0]["hand"])
    known = sources.paragraphs()
    return Working(
        steps=steps,
        link=version,
        row=row,
        paragraphs=tuple(known[one] for one in sources.citations(row.cites)),
        entry=entry,
        wagers=wagers,
        growth=_growth(connection, link, steps),
    )


def _growth(connection: Connection, link: str, steps: list[Row]) -> list[Row]:
    """What the meter began with when it was last opened or won, and what it held before the award."""
    level = steps[0]["level"]
    if not level:
        return []
    asked = {"link": link, "level": level, "entry": steps[0]["entry"]}
    with connection.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(statement("meter_since"), asked).fetchall()
