"""Reports as rows, as a page, as JSON and as CSV."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from feltwork.books.audit.export import Period
from feltwork.books.connection import Connection
from feltwork.books.records.record_retention import drop_audit_month
from feltwork.books.reports import Row
from feltwork.operations.authorize import authorize_any
from feltwork.operations.context import Operation, Policy
from feltwork.operations.errors import unknown
from feltwork.operations.floors.site import period, site_name
from feltwork.operations.reports.registry import REPORTS
from feltwork.operations.reports.report import Column, Kind, Pool, Report, ReportRequest, of

__all__ = [
    "REPORTS",
    "Column",
    "Kind",
    "Pool",
    "Report",
    "ReportRequest",
    "Row",
    "drop_audit_month",
    "of",
]


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
    rows: Sequence[Row]
    #: What a reader must know before any other figure.
    differences: Sequence["Difference"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Money of a link that one side of a reconciliation does not have."""

    link: str
    what: str
    amount: int


_DIFFERENCES = {
    "difference": "the books hold beyond their entries",
    "unexplained": "no entry explains",
    "bank_difference": "the bank holds beyond the books",
}


def rows_of(connection: Connection, request: ReportRequest, policy: Policy | None = None) -> Sequence[Row]:
    """The rows of a report; amounts are micros."""
    return _known(request.name).rows(connection, request, policy or Policy())


def run(op: Operation, request: ReportRequest) -> Sequence[Row]:
    """The rows of a report, for those who may read the books."""
    authorize_any(op, "read_books", about=f"report {request.name}")
    return rows_of(op.connection, request, op.policy)


def view(op: Operation, request: ReportRequest) -> ReportView:
    """A report of a gambling day, or of all days, as a page shows it; empty until its choices are made."""
    authorize_any(op, "read_books", about=f"report {request.name}")
    report = _known(request.name)
    covers = period(op.connection, request.day) if report.dated else Period()
    request = replace(request, since=covers.since, until=covers.until)
    chosen = (name for name in report.parameters if name not in ("since", "until", "day", "limit"))
    rows = () if report.missing(request) else report.rows(op.connection, request, op.policy)
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
        rows=rows,
        differences=_differences(rows) if report.name == "reconciliation" else (),
    )


def as_json(rows: Iterable[Row]) -> str:
    """Rows as JSON; times are ISO 8601."""
    return json.dumps(list(rows), default=_plain)


def as_csv(rows: Iterable[Row]) -> str:
    """Rows as CSV with a line of names."""
    listed = list(rows)
    out = io.StringIO()
    if listed:
        writer = csv.DictWriter(out, fieldnames=list(listed[0]))
        writer.writeheader()
        writer.writerows({name: _cell(value) for name, value in row.items()} for row in listed)
    return out.getvalue()


def _known(name: str) -> Report:
    if name not in REPORTS:
        raise unknown(f"report {name}")
    return REPORTS[name]


def _differences(rows: Sequence[Row]) -> list[Difference]:
    return [
        Difference(link=row["link"], what=what, amount=row[name])
        for row in rows
        for name, what in _DIFFERENCES.items()
        if row[name]
    ]


def _cell(value: object) -> object:
    """A cell that a spreadsheet takes for a formula is written as text."""
    if isinstance(value, dict | list):
        return json.dumps(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")):
        return f"'{value}"
    return value


def _plain(value: object) -> str:
    assert isinstance(value, datetime)
    return value.isoformat()
