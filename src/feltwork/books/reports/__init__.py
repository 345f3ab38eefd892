"""Reports: one file of SQL each, answered as rows that become JSON or CSV; the reader's role can run them."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from psycopg.rows import dict_row

from feltwork.books.connection import Connection
from feltwork.problem import Problem, ProblemsError

Row: TypeAlias = dict[str, Any]
#: What each report asks for.
REPORTS: Mapping[str, tuple[str, ...]] = {
    "meter_sheet": ("link", "level", "pool", "since", "until"),
    "daily_lines": ("since", "until"),
    "funds": (),
    "reconciliation": ("since", "until"),
    "adjustments": ("since", "until"),
    "hits": (),
    "counters": (),
    "win_page": ("link", "award"),
    "dispute": ("table", "round"),
    "gaps": (),
    "audit_log": ("since", "until"),
    "register": ("since", "until"),
    "deposits": ("since", "until"),
    "month_end": ("since", "until", "above"),
    "periods": ("since", "until"),
    "events": ("since", "until", "table", "code"),
    "payouts": ("since", "until"),
    "incidents": ("since", "until"),
    "installations": ("since", "until"),
    "access_reviews": ("since", "until"),
}
#: What may be left out where a report searches.
_ANY: Mapping[str, Mapping[str, str]] = {"events": {"table": "", "code": ""}}


def report(connection: Connection, name: str, **asked: object) -> list[Row]:
    """The rows of a report; amounts are micros."""
    if name not in REPORTS:
        raise ProblemsError([Problem(name, "there is no such report", f"choose from: {', '.join(REPORTS)}")])
    asked = {**_ANY.get(name, {}), **asked}
    missing = [one for one in REPORTS[name] if one not in asked]
    if missing:
        raise ProblemsError([Problem(f"report {name}", f"it lacks {', '.join(missing)}", "say which")])
    with connection.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(_text(name), asked or None).fetchall()


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


@cache
def _text(name: str) -> bytes:
    return files(__name__).joinpath(f"{name}.sql").read_bytes()
