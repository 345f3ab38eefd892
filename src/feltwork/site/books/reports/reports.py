"""Reports as rows, as a page, as JSON and as files for a spreadsheet."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from decimal import Decimal
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo

from feltwork import money, spreadsheet
from feltwork.site.books.authorize import authorize_any
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation, Policy
from feltwork.site.books.errors import unknown
from feltwork.site.books.floors.floor_files import Period
from feltwork.site.books.floors.site import floor_in_force, period, site_name
from feltwork.site.books.reports import Row
from feltwork.site.books.reports.registry import REPORTS
from feltwork.site.books.reports.report import Column, Kind, Report, ReportRequest

FileForm: TypeAlias = Literal["csv", "xlsx"]
#: A report of all days.
ALL = ReportRequest()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportView:
    """A report with its rows, for a page."""

    site: str
    name: str
    title: str
    says: str
    dated: bool
    #: The gambling day that it covers, or ALL.
    day: str
    since: datetime
    until: datetime
    columns: tuple[Column, ...]
    #: The other parameters and their current values.
    choices: dict[str, str]
    #: Whether all required parameters are chosen.
    complete: bool
    rows: Sequence[Row]
    #: Differences that a reader must see before any other figure.
    differences: Sequence["Difference"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFile:
    """A report as a file."""

    name: str
    contents: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Money of a link that is missing on one side of a reconciliation."""

    link: str
    what: str
    amount: int


_DIFFERENCES = {
    "difference": "the books hold beyond their entries",
    "unexplained": "no entry explains",
    "bank_difference": "the bank holds beyond the books",
}


def rows_of(
    connection: Connection, name: str, request: ReportRequest = ALL, policy: Policy | None = None
) -> Sequence[Row]:
    """The rows of a report; amounts are micros."""
    return _known(name).rows(connection, request, policy or Policy())


def run(op: Operation, name: str, request: ReportRequest = ALL) -> Sequence[Row]:
    """The rows of a report, for those who may read the books."""
    authorize_any(op, "read_books", about=f"report {name}")
    return rows_of(op.connection, name, request, op.policy)


def view(op: Operation, name: str, request: ReportRequest) -> ReportView:
    """Show a report of a gambling day, or of all days; it is empty until its parameters are chosen."""
    authorize_any(op, "read_books", about=f"report {name}")
    report = _known(name)
    covers = period(op.connection, request.day) if report.dated else Period()
    request = request.model_copy(update={"since": covers.since, "until": covers.until})
    chosen = (name for name in report.parameters if name not in ("since", "until", "day", "limit"))
    complete = not report.missing(request)
    rows = report.rows(op.connection, request, op.policy) if complete else ()
    return ReportView(
        site=site_name(op.connection),
        name=report.name,
        title=report.title,
        says=report.says,
        dated=report.dated,
        day=covers.name,
        since=covers.since,
        until=covers.until,
        columns=report.columns,
        choices={name: str(getattr(request, name) or "") for name in chosen},
        complete=complete,
        rows=rows,
        differences=differences(rows) if report.name == "reconciliation" else (),
    )


def as_json(rows: Iterable[Row]) -> str:
    """Rows as JSON; times are ISO 8601."""
    return json.dumps(list(rows), default=_plain)


def as_file(op: Operation, name: str, request: ReportRequest, form: FileForm) -> ReportFile:
    """Return a report for a spreadsheet: amounts in dollars, local times, headings in words with units."""
    rows, report = run(op, name, request), _known(name)
    floor = floor_in_force(op.connection)
    zone = ZoneInfo(floor.day.time_zone) if floor else UTC
    headings = [_heading(column) for column in report.columns]
    table = [[_file_cell(row[column.name], column.kind, zone) for column in report.columns] for row in rows]
    contents = (
        spreadsheet.as_csv(headings, table).encode()
        if form == "csv"
        else spreadsheet.as_xlsx(headings, table)
    )
    about = "-".join(
        str(part) for part in (request.link, request.level, request.table, request.award) if part
    )
    day = f"{request.since.astimezone(zone):%Y-%m-%d}" if report.dated and request.since.year > 1970 else ""
    file = "-".join(part for part in (name, about.replace(":", "-"), day) if part)
    return ReportFile(name=f"{file}.{form}", contents=contents)


def _known(name: str) -> Report:
    if name not in REPORTS:
        raise unknown(f"report {name}")
    return REPORTS[name]


def differences(rows: Sequence[Row]) -> list[Difference]:
    """List the money that is missing on one side of a reconciliation."""
    return [
        Difference(link=row["link"], what=what, amount=row[name])
        for row in rows
        for name, what in _DIFFERENCES.items()
        if row[name]
    ]


def _heading(column: Column) -> str:
    words = column.name.replace("_", " ")
    return f"{words} ($)" if column.kind == "amount" else words


def _file_cell(value: object, kind: Kind, zone: tzinfo) -> object:
    if isinstance(value, dict | list):
        return json.dumps(value)
    if kind == "amount" and isinstance(value, int):
        return Decimal(money.text(value))
    if kind == "moment" and isinstance(value, int):
        value = datetime.fromtimestamp(value / 1_000_000, UTC)
    return f"{value.astimezone(zone):%Y-%m-%d %H:%M:%S %Z}" if isinstance(value, datetime) else value


def _plain(value: object) -> str:
    assert isinstance(value, datetime)
    return value.isoformat()
