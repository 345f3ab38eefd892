"""Report cells as text: amounts, times, names, and lists."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any

from babel.dates import format_datetime

from feltwork import money
from feltwork.operations.reports.reports import REPORTS, Column, Kind
from feltwork.web.rendering import catalog

#: Amounts in facts and award provenance that are no report columns.
_OTHER_AMOUNTS = (
    *("accrued", "after", "amount", "bank_balance", "before", "began_with", "envy", "fixed", "grew_to"),
    *("opening", "overflow", "required", "reserve", "seed", "wager"),
    *("from_house", "from_meter", "from_reserve", "to_house", "to_meter", "to_reserve"),
)
#: A column name has one kind in every report; where reports differ, an amount wins.
_KINDS: Mapping[str, Kind] = {
    **{column.name: column.kind for report in REPORTS.values() for column in report.columns},
    **{
        column.name: "amount"
        for report in REPORTS.values()
        for column in report.columns
        if column.kind == "amount"
    },
    **dict.fromkeys(_OTHER_AMOUNTS, "amount"),
}
_AWARD_ID = re.compile(r"\b\w+:\d+:\d+(:\d+)?\b")
#: Values that are shown faintly, so that the eye finds the others.
_SILENT = (0, None, "")


@dataclass(frozen=True, slots=True)
class Cell:
    """A formatted cell, and whether it is a number."""

    says: str
    number: bool = False
    silent: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """A column heading."""

    name: str
    says: str
    number: bool


@dataclass(frozen=True, slots=True)
class PageTable:
    """Formatted rows with their headings."""

    columns: Sequence[Heading]
    rows: Sequence[Sequence[Cell]]


def plain_name(name: str) -> str:
    """A name of the data as text: ``four_of_a_kind`` is four of a kind."""
    return catalog.gettext(name.replace("_", " "))


def award_name(award: str) -> str:
    """An award as people name it: ``C1:214:5`` is C1, round 214, seat 5."""
    parts = award.split(":")
    if len(parts) < 3:
        return award
    values = {"table": parts[0], "round": parts[1], "seat": parts[2]}
    text = catalog.gettext("%(table)s, round %(round)s, seat %(seat)s") % values
    if len(parts) == 3:
        return text
    return catalog.gettext("%(award)s, claim %(number)s") % {"award": text, "number": parts[3]}


def moment(at: int | str | datetime, zone: tzinfo) -> str:
    """A time in a time zone, with the zone; an integer is microseconds since 1970."""
    if isinstance(at, str):
        at = datetime.strptime(at, "%Y-%m-%d %H:%M:%S %Z").replace(tzinfo=UTC)
    local = (datetime.fromtimestamp(at / 1_000_000, tz=UTC) if isinstance(at, int) else at).astimezone(zone)
    text = format_datetime(local, "medium", tzinfo=zone, locale=catalog.language())
    return f"{text} {local:%Z}".replace("\u202f", " ")


def cell(name: str, value: Any, kind: Kind | None = None, *, zone: tzinfo = UTC) -> Cell:
    """A formatted cell."""
    kind = kind or _KINDS.get(name)
    if isinstance(value, bool):
        return Cell(catalog.gettext("yes") if value else catalog.gettext("no"))
    if isinstance(value, datetime) or (kind == "moment" and isinstance(value, int)):
        return Cell(moment(value, zone))
    if isinstance(value, int):
        plain = f"{value:,}" if value >= 10_000 else str(value)
        return Cell(amount(value) if kind == "amount" else plain, number=True, silent=value == 0)
    if isinstance(value, dict | list):
        return Cell(_listed(value), silent=not value)
    says = "" if value in _SILENT else award_name(str(value)) if name == "award" else str(value)
    if name == "explanation":
        says = _AWARD_ID.sub(lambda found: award_name(found[0]), says)
    return Cell(plain_name(says) if kind == "name" else says, silent=value in _SILENT)


def _listed(value: dict[str, object] | list[object]) -> str:
    """A flat mapping in words; anything deeper as JSON."""
    if isinstance(value, list) or any(isinstance(part, dict | list) for part in value.values()):
        return json.dumps(value, default=str)
    return ", ".join(f"{plain_name(name)} {part}" for name, part in value.items())


def amount(micros: int) -> str:
    """An exact amount with thousands separators: at least two decimals, and no trailing zeros after them."""
    sign = "-" if micros < 0 else ""
    units, _, rest = money.text(abs(micros)).partition(".")
    return f"{sign}${int(units):,}.{rest}"


def table(
    rows: Sequence[Mapping[str, Any]], columns: Sequence[Column] = (), *, zone: tzinfo = UTC
) -> PageTable:
    """Formatted rows; the columns are a report's, or known by their names."""
    kinds = {column.name: column.kind for column in columns}
    names = list(rows[0]) if rows else []
    cells = [[cell(name, row[name], kinds.get(name), zone=zone) for name in names] for row in rows]
    headings = [
        Heading(name, plain_name(name), any(row[place].number for row in cells))
        for place, name in enumerate(names)
    ]
    return PageTable(headings, cells)
