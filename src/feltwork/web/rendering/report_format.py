"""Columns of reports as people read them: amounts, moments, names and lists in words."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from feltwork import money
from feltwork.operations.reports.reports import REPORTS, Column, Kind

#: What facts and workings hold besides the columns of reports.
_BESIDES = ("began_with", "envy", "fixed", "grew_to", "overflow", "to_house", "wager")
#: The same name holds the same thing in every report; a figure that is no amount is told by its value.
_KINDS: Mapping[str, Kind] = {
    **{column.name: column.kind for report in REPORTS.values() for column in report.columns},
    **{
        column.name: "amount"
        for report in REPORTS.values()
        for column in report.columns
        if column.kind == "amount"
    },
    **dict.fromkeys(_BESIDES, "amount"),
}
#: What stays empty where nothing happened, so that the eye finds what did.
_SILENT = (0, None, "")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as a page shows it: its words, and whether it is a figure."""

    says: str
    number: bool = False
    silent: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """The head of a column."""

    name: str
    says: str
    number: bool


@dataclass(frozen=True, slots=True)
class PageTable:
    """Rows as a page shows them."""

    columns: Sequence[Heading]
    rows: Sequence[Sequence[Cell]]


def cell(name: str, value: Any, kind: Kind | None = None) -> Cell:
    """A cell as a page shows it."""
    kind = kind or _KINDS.get(name)
    if isinstance(value, bool):
        return Cell("yes" if value else "no")
    if isinstance(value, int):
        if kind == "moment":
            return Cell(_moment(datetime.fromtimestamp(value / 1_000_000, tz=UTC)))
        plain = f"{value:,}" if value >= 10_000 else str(value)
        return Cell(amount(value) if kind == "amount" else plain, number=True, silent=value == 0)
    if isinstance(value, datetime):
        return Cell(_moment(value))
    if isinstance(value, dict | list):
        return Cell(_listed(value), silent=not value)
    says = "" if value in _SILENT else str(value)
    return Cell(says.replace("_", " ") if kind == "name" else says, silent=value in _SILENT)


def _moment(value: datetime) -> str:
    return value.strftime("%Y-%m-%d %H:%M:%S")


def _listed(value: dict[str, object] | list[object]) -> str:
    """What a cell holds several of, in words; what is deeper stays as it is kept."""
    if isinstance(value, list) or any(isinstance(one, dict | list) for one in value.values()):
        return json.dumps(value, default=str)
    return ", ".join(f"{name.replace('_', ' ')} {one}" for name, one in value.items())


def amount(micros: int) -> str:
    """An amount to the last digit that is not zero, but never less than cents, with thousands apart."""
    sign = "-" if micros < 0 else ""
    units, _, rest = money.text(abs(micros)).partition(".")
    return f"{sign}${int(units):,}.{rest}"


def table(rows: Sequence[Mapping[str, Any]], columns: Sequence[Column] = ()) -> PageTable:
    """Rows as a page shows them; the columns are those of a report, or known by their names."""
    kinds = {column.name: column.kind for column in columns}
    names = list(rows[0]) if rows else []
    cells = [[cell(name, row[name], kinds.get(name)) for name in names] for row in rows]
    headings = [
        Heading(name, name.replace("_", " "), any(row[place].number for row in cells))
        for place, name in enumerate(names)
    ]
    return PageTable(headings, cells)
