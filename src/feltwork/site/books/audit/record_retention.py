"""Record retention: the oldest record of each kind, and when it may be deleted [AM-04]."""

from datetime import UTC, date, datetime
from typing import Any

from psycopg.errors import UndefinedTable

from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floor_files import floor_in_force
from feltwork.site.books.queries import statement
from feltwork.site.compliance.check import rulings_of
from feltwork.site.progressive.refusal import refuse

#: The only kind that may be deleted; a chain is verified from its first entry, and people's records are few.
LOG = "audit log"


def record_retention(connection: Connection) -> list[dict[str, Any]]:
    """A row for each kind of record: the oldest, the jurisdiction's years, and the end of its retention."""
    years = _years(connection)
    rows = connection.execute(statement("oldest_records")).fetchall()
    return [
        {
            "kind": kind,
            "oldest": oldest,
            "years": years,
            "kept_until": None if oldest is None else later(oldest, years),
            "then": "months may go" if kind == LOG else "it stays",
        }
        for kind, oldest in rows
    ]


def drop_audit_month(connection: Connection, month: date) -> None:
    """Delete a month of the audit log, as the owner of the books; refused until its retention ends."""
    first = datetime(month.year, month.month, 1, tzinfo=UTC)
    years = _years(connection)
    ends = first.replace(year=first.year + first.month // 12, month=first.month % 12 + 1)
    kept_until = later(ends, years)
    where = f"{LOG}, {first:%Y-%m}"
    if kept_until > datetime.now(tz=UTC):
        what = f"it is kept for {years} years, until {kept_until:%Y-%m-%d}"
        raise refuse(where, what, "wait until then; an export does not replace the original", "AM-04")
    try:
        with connection.transaction():
            connection.execute("SELECT books.drop_audit_month('audit', %s, %s)", (first.date(), years))
    except UndefinedTable as error:
        raise refuse(
            where, "there is no audit log for this month", "check the report record_retention", "AM-04"
        ) from error


def _years(connection: Connection) -> int:
    ruling = rulings_of(floor_in_force(connection), on=datetime.now(tz=UTC).date())["records_years"]
    years = ruling.number
    assert years is not None, "every jurisdiction says for how long"
    return years


def later(moment: datetime, years: int) -> datetime:
    """The same day some years later; February 29 becomes February 28 where necessary."""
    try:
        return moment.replace(year=moment.year + years)
    except ValueError:
        return moment.replace(year=moment.year + years, day=28)
