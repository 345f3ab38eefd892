"""Closing a gambling day: a checklist of open items, and the signed day sheet that closes it [WA-25]."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from typing import Any

from psycopg.rows import class_row
from pydantic import Field
from pydantic.dataclasses import dataclass as validated

from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.audit.day_heads import chain_ends
from feltwork.site.books.audit.replay import audit_period
from feltwork.site.books.audit.site_key import is_signed_by, site_key_in, verify_site_key
from feltwork.site.books.authorize import authorize, authorize_any
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.fields import COMMAND, Name, Statement, with_example
from feltwork.site.books.floors.floor_files import Period, period_of
from feltwork.site.books.floors.site import site_name
from feltwork.site.books.links.links import link_view
from feltwork.site.books.queries import statement
from feltwork.site.books.reports import Row
from feltwork.site.books.reports.report import ReportRequest
from feltwork.site.books.reports.reports import differences, rows_of
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive.refusal import refuse

#: Item of the checklist -> the page where it is done.
_PAGES = {
    "over": "",
    "rounds": "/office/reports/gaps",
    "claims": "/pit",
    "awards": "/cage",
    "drawers": "/cage",
    "parked": "/pit/parked",
    "alarms": "/floor",
    "notices": "/office/reports/incidents?day=ALL",
    "proposals": "/office/proposals",
    "bank": "/office",
    "reconciliation": "/office/reports/reconciliation?day={day}",
    "sheet": "/office/reports/day_sheets?day=ALL",
}
_LINE_TOTALS = ("rounds", "wagers", "wagered", "to_meters", "to_reserves", "to_house", "misdeals", "returned")
_PAID_TOTALS = (
    "awards_from_meter",
    "awards_from_house",
    "awards_reversed",
    "fixed_from_tray",
    "envy_from_tray",
)


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class DaySheet:
    """A closed gambling day: the text that was signed, and its signature."""

    number: int
    day: date
    body: str
    signature: str
    closed_by: str
    closed_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenThing:
    """An open entry of a checklist item."""

    about: str
    amount: int | None
    #: The page where it is done.
    where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecklistItem:
    """A checklist item, done if nothing is missing."""

    name: str
    missing: Sequence[OpenThing]
    where: str


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class DayChecklist:
    """The checklist for closing a gambling day, and the sheets that closed it."""

    site: str
    day: str
    since: datetime
    until: datetime
    items: Sequence[ChecklistItem]
    #: Player funds of each link, as in the reconciliation.
    funds: Sequence[Row]
    sheets: Sequence[DaySheet]
    #: Whether the service has the key that signs the sheet.
    has_key: bool


@validated(config=COMMAND, frozen=True, kw_only=True)
class Explanations:
    """The reasons for closing a day with items missing."""

    explanations: dict[Name, Statement] = Field(
        default_factory=dict, examples=[{"awards": "The patron comes back tomorrow with a second document."}]
    )


def day_checklist(op: Operation, day: str) -> DayChecklist:
    """Show what is done and what is missing to close a gambling day."""
    authorize_any(op, "read_books", about=f"day {day}")
    return _checklist(op, _period(op, day))


def close_day(op: Operation, day: str, command: Explanations) -> DaySheet:
    """Close a gambling day with a signed sheet; each missing item needs an explanation [WA-25]."""
    authorize(op, Command(name="close_day", about=day))
    covers = _period(op, day)
    key = site_key_in(op.policy.keys)
    if key is None:
        remedy = "make a key with feltwork init --site-key FOLDER, and start the service with it"
        raise refuse("site key", "the service has no key to sign the day sheet with", remedy, "GEN-09")
    # A day with faulty entries is not closed, whatever the explanation.
    wrong = audit_period(op.connection, covers).problems
    if wrong:
        raise ProblemsError(wrong)

    def act() -> DaySheet:
        op.connection.execute(statement("lock_day_sheets"))
        checklist = _checklist(op, covers)
        contents = _contents(op, checklist, _explained(checklist, command.explanations))
        verify_site_key(op.connection, key)
        body = json.dumps(contents, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        signature = key.sign(body.encode(), f"day sheet of {covers.name}")
        row = (date.fromisoformat(covers.name), body, signature, op.actor.id)
        with op.connection.cursor(row_factory=class_row(DaySheet)) as cursor:
            sheet = cursor.execute(statement("save_day_sheet"), row).fetchone()
        assert sheet is not None
        return sheet

    explanation = "; ".join(f"{name}: {why}" for name, why in sorted(command.explanations.items()))
    return op.perform(asdict(command), DaySheet, act, why=explanation)


def day_sheet(op: Operation, day: str) -> tuple[DaySheet, Mapping[str, Any]]:
    """Return the last sheet of a day and its contents."""
    authorize_any(op, "read_books", about=f"day {day}")
    sheets = _day_sheets(op.connection, date.fromisoformat(_period(op, day).name))
    if not sheets:
        raise unknown(f"the sheet of {day}")
    return sheets[-1], json.loads(sheets[-1].body)


def _period(op: Operation, day: str) -> Period:
    if day == "ALL":
        raise refuse("day ALL", "a sheet covers one day", "choose a day", "WA-25")
    covers = period_of(op.connection, day)
    if covers.since > datetime.now(UTC):
        raise refuse(f"day {day}", "the day has not begun", "choose a day that has begun", "WA-25")
    return covers


def _checklist(op: Operation, covers: Period) -> DayChecklist:
    funds = rows_of(op.connection, "reconciliation", _request(covers))
    sheets = _day_sheets(op.connection, date.fromisoformat(covers.name))
    missing: dict[str, list[OpenThing]] = {name: [] for name in _PAGES}
    pages = {name: page.format(day=covers.name) for name, page in _PAGES.items()}

    def lacks(name: str, about: str, amount: int | None = None, where: str = "") -> None:
        missing[name].append(OpenThing(about=about, amount=amount, where=where or pages[name]))

    if covers.until > datetime.now(UTC):
        lacks("over", f"until {covers.until:%Y-%m-%d %H:%M %Z}")
    for name, about, amount in op.connection.execute(statement("open_items"), {"until": covers.until}):
        lacks(name, about, amount)
    for row in funds:
        link = link_view(op.connection, row["link"])
        if link.kind == "progressive" and link.life != "removed" and row["bank_counted_at"] is None:
            lacks("bank", link.link, row["closing"], f"/office/links/{link.link}/count")
    for difference in differences(funds):
        lacks("reconciliation", f"{difference.link}: {difference.what}", difference.amount)
    for sheet in sheets:
        lacks("sheet", f"sheet {sheet.number}, closed by {sheet.closed_by}")
    return DayChecklist(
        site=site_name(op.connection),
        day=covers.name,
        since=covers.since,
        until=covers.until,
        items=[ChecklistItem(name=name, missing=missing[name], where=pages[name]) for name in _PAGES],
        funds=funds,
        sheets=sheets,
        has_key=site_key_in(op.policy.keys) is not None,
    )


def _explained(checklist: DayChecklist, explanations: Mapping[str, str]) -> dict[str, str]:
    """Return the explanation of each missing item; raise if one is absent."""
    open_names = [item.name for item in checklist.items if item.missing]
    problems = [
        Problem(
            f"day {checklist.day}, {name}",
            "this item is missing and has no explanation",
            "do it first, or explain why the day is closed without it",
            "WA-25",
        )
        for name in open_names
        if not explanations.get(name)
    ]
    if problems:
        raise ProblemsError(problems)
    return {name: explanations[name] for name in open_names}


def _contents(op: Operation, checklist: DayChecklist, explained: Mapping[str, str]) -> dict[str, Any]:
    """Return the contents of a sheet; amounts are micros."""
    covers = Period(checklist.day, checklist.since, checklist.until)
    lines = rows_of(op.connection, "daily_lines", _request(covers))
    return {
        "site": checklist.site,
        "day": checklist.day,
        "since": checklist.since.astimezone(UTC).isoformat(),
        "until": checklist.until.astimezone(UTC).isoformat(),
        "closed_by": op.actor.id,
        "items": [
            {
                "name": item.name,
                "missing": [
                    {"about": open_item.about, "amount": open_item.amount} for open_item in item.missing
                ],
                "explanation": explained.get(item.name, ""),
            }
            for item in checklist.items
        ],
        "funds": [
            {name: value.isoformat() if isinstance(value, datetime) else value for name, value in row.items()}
            for row in checklist.funds
        ],
        "totals": {name: sum(row[name] for row in lines) for name in _LINE_TOTALS + _PAID_TOTALS},
        **chain_ends(op.connection, min(checklist.until, datetime.now(UTC))),
    }


def _request(covers: Period) -> ReportRequest:
    return ReportRequest(since=covers.since, until=covers.until)


def _day_sheets(connection: Connection, day: date | None = None) -> list[DaySheet]:
    """The sheets of a day, or all of them, in order."""
    with connection.cursor(row_factory=class_row(DaySheet)) as cursor:
        return cursor.execute(statement("day_sheets"), {"day": day}).fetchall()


def sheet_problems(connection: Connection) -> list[Problem]:
    """The first sheet that is not signed with a key of the site."""
    keys = [public for (public,) in connection.execute(statement("site_keys"))]
    for sheet in _day_sheets(connection):
        if not any(is_signed_by(public, sheet.body.encode(), sheet.signature) for public in keys):
            what = "it is not signed with the key of the site"
            remedy = "compare with the last export and restore it"
            return [Problem(f"day sheet {sheet.number}", what, remedy, "GEN-09")]
    return []
