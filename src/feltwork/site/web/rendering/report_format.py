"""Report cells as text: amounts, times, names, and lists."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from fractions import Fraction
from typing import Any

from babel.dates import format_date, format_datetime

from feltwork import money
from feltwork.site.books.reports.registry import REPORTS
from feltwork.site.books.reports.report import Column, Kind
from feltwork.site.compliance.requirements import REQUIREMENTS
from feltwork.site.progressive.fact_serializer import KINDS
from feltwork.site.web.rendering import catalog
from feltwork.site.web.rendering.catalog import N_
from feltwork.site.web.rendering.figure_format import percent
from feltwork.titles import registry
from feltwork.titles.hand_names import spoken_hand

#: Amounts in facts and award provenance that are not report columns.
_OTHER_AMOUNTS = (
    *("accrued", "after", "amount", "bank_balance", "before", "began_with", "envy", "fixed", "grew_to"),
    *("meter", "opening", "overflow", "pending", "required", "reserve", "seed", "wager"),
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
#: Summed counts have separators like their sums; round and entry numbers are identifiers.
_COUNTS = {
    column.name
    for report in REPORTS.values()
    for column in report.columns
    if column.total and column.kind == "number"
}
#: Shares of the wager, shown in percent.
_RATES = {
    "contribution_basis_points": N_("contribution rate"),
    "reserve_basis_points": N_("reserve rate"),
}
#: March 1973 in microseconds since 1970; no other number is this large.
_FIRST_MOMENT = 10**14
_RULE_CODE = re.compile(r"\b([A-Z]{2,3}-[0-9]{2})\b")
_AWARD_ID = re.compile(r"\b[A-Za-z]\w*:\d+:\d+(:\d+)?\b")
#: Maximum rows on a page; more are for a file, because a browser takes seconds to lay them out.
MOST_ROWS = 1_000
#: Columns whose values are our own words; text typed by people is not translated.
_SAID = ("kind", "status", "step", "then", "what")
#: Labels in the provenance of an award.
GROWTH = (
    *(N_("opened with"), N_("reset to"), N_("contributed"), N_("the meter before the award")),
    *(N_("Claimed"), N_("Locked"), N_("Confirmed"), N_("Paid"), N_("Voided"), N_("Reversed"), N_("Adjusted")),
    N_("Confiscated"),
)
#: Names and words in facts, the audit log and reports that are not report columns.
DATA_NAMES = (
    *(N_("above"), N_("approval"), N_("audit log"), N_("booked"), N_("by"), N_("command"), N_("digest")),
    *(N_("drawer count"), N_("facts"), N_("fingerprint"), N_("fixed"), N_("floor"), N_("floor registered")),
    *(N_("incident"), N_("it stays"), N_("journal and rounds"), N_("meters"), N_("months may go")),
    *(N_("opening amount"), N_("person registered"), N_("players"), N_("proposal"), N_("restarts")),
    *(N_("role"), N_("round booked"), N_("seats"), N_("signed in"), N_("started at"), N_("to house")),
    *(N_("to meter"), N_("to reserve"), N_("award returned"), N_("seed returned"), N_("reserve returned")),
)
#: Explanations of changes on the meter sheet; any other explanation was typed by people.
_EXPLANATIONS = tuple(
    (re.compile(pattern), template)
    for pattern, template in (
        (r"1 batch of rounds", N_("1 batch of rounds")),
        (r"(?P<number>\d+) batches of rounds", N_("%(number)s batches of rounds")),
        (r"award (?P<award>[A-Za-z][\w:]*:\d+:\d+)", N_("award %(award)s")),
        (r"adjustment (?P<adjustment>\S+)", N_("adjustment %(adjustment)s")),
        (r"round (?P<table>\S+)/(?P<round>\d+)", N_("round %(round)s at table %(table)s")),
    )
)
#: Values shown faintly, so the others stand out.
_SILENT = (0, None, "")


@dataclass(frozen=True, slots=True)
class Cell:
    """A formatted cell, and whether it is a number."""

    says: str
    number: bool = False
    silent: bool = False
    #: Sort key, if it is not the text.
    value: int | str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """A column heading."""

    name: str
    says: str
    number: bool
    #: Sum of the column, if it is meaningful.
    total: Cell | None = None


@dataclass(frozen=True, slots=True)
class PageTable:
    """Formatted rows with their headings."""

    columns: Sequence[Heading]
    rows: Sequence[Sequence[Cell]]
    #: Total number of rows; a page shows the first ones.
    count: int

    @property
    def is_summed(self) -> bool:
        """Whether there is a line of totals below the rows."""
        return len(self.rows) > 1 and any(column.total for column in self.columns)


def plain_name(name: str) -> str:
    """A data name as text: ``four_of_a_kind`` is four of a kind."""
    return catalog.gettext(_RATES.get(name) or name.replace("_", " "))


def award_name(award: str) -> str:
    """An award as people name it: ``C1:214:5`` is C1, round 214, seat 5.

    The first claim of a seat needs no number.
    """
    parts = award.split(":")
    if len(parts) < 3:
        return award
    values = {"table": parts[0], "round": parts[1], "seat": parts[2]}
    text = catalog.gettext("%(table)s, round %(round)s, seat %(seat)s") % values
    if len(parts) == 3 or parts[3] == "0":
        return text
    return catalog.gettext("%(award)s, claim %(number)s") % {"award": text, "number": parts[3]}


def awards_named(text: str) -> str:
    """A text with each award id replaced by its plain name."""
    return _AWARD_ID.sub(lambda match: award_name(match[0]), text)


def rule_parts(text: str) -> list[tuple[str, bool]]:
    """A text split at its rule codes: each part, and whether it is a code."""
    return [(part, part in REQUIREMENTS) for part in _RULE_CODE.split(text) if part]


def moment(at: int | str | datetime, zone: tzinfo) -> str:
    """A time in a time zone, with the zone; an integer is microseconds since 1970."""
    if isinstance(at, str):
        at = datetime.strptime(at, "%Y-%m-%d %H:%M:%S %Z").replace(tzinfo=UTC)
    local = (datetime.fromtimestamp(at / 1_000_000, tz=UTC) if isinstance(at, int) else at).astimezone(zone)
    text = format_datetime(local, "medium", tzinfo=zone, locale=catalog.locale())
    return f"{text} {local:%Z}".replace("\u202f", " ")


def day_name(day: date) -> str:
    """A gambling day as people write it."""
    return format_date(day, "medium", locale=catalog.locale())


def cell(name: str, value: Any, kind: Kind | None = None, *, zone: tzinfo = UTC) -> Cell:
    """A formatted cell."""
    kind = kind or _KINDS.get(name)
    if isinstance(value, int) and value > _FIRST_MOMENT and name.rpartition("_")[2] in ("at", "by"):
        kind = "moment"
    if isinstance(value, bool):
        return Cell(catalog.gettext("yes") if value else catalog.gettext("no"))
    if isinstance(value, datetime) or (kind == "moment" and isinstance(value, int)):
        at = value if isinstance(value, int) else int(value.timestamp() * 1_000_000)
        return Cell(moment(value, zone), value=at)
    if isinstance(value, int):
        return Cell(_number(name, value, kind), number=True, silent=value == 0, value=value)
    if isinstance(value, dict | list):
        return Cell(_listed(name, value, kind, zone), silent=not value)
    text = "" if value in _SILENT else _text(name, str(value))
    # Days are sorted by their date.
    order = str(value) if name == "day" and text else ""
    return Cell(plain_name(text) if kind == "name" else text, silent=value in _SILENT, value=order)


def _number(name: str, value: int, kind: Kind | None) -> str:
    if kind == "amount":
        return amount(value)
    if name in _RATES:
        return percent(Fraction(value, 10_000), 2)
    return f"{value:,}" if value >= 10_000 or name in _COUNTS else str(value)


def _text(name: str, text: str) -> str:
    """The text of a column: our own words in the reader's language, and names in plain form."""
    text = awards_named(_explained(name, text))
    if name == "hand":
        return catalog.gettext(spoken_hand(text))
    if name in ("level", "stopped_by"):
        return ", ".join(map(plain_name, text.split(", ")))
    if name == "day":
        return day_text(text)
    if name in ("game", "jackpot") and text in registry.names():
        return registry.title(text).title
    return _said(name, text) if name in _SAID else text


def _explained(name: str, text: str) -> str:
    """The explanation of a meter change, in the reader's language."""
    return "; ".join(map(_explanation, text.split("; "))) if name == "explanation" else text


def _explanation(part: str) -> str:
    for pattern, template in _EXPLANATIONS:
        if match := pattern.fullmatch(part):
            return catalog.gettext(template) % match.groupdict()
    return part


def day_text(text: str) -> str:
    """A day such as ``2026-11-17`` as people write it."""
    try:
        return day_name(date.fromisoformat(text))
    except ValueError:
        return text


def words(name: str) -> str:
    """The name of a fact in English words: ``Adjusted.SEED_RECOVERY`` is adjusted, seed recovery."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace(".", ", ").replace("_", " ").lower()


def _said(name: str, text: str) -> str:
    """One of our own words in the reader's language; the steps of an award are capitalized."""
    text = words(text) if name != "step" and text.partition(".")[0] in KINDS else text
    return catalog.gettext(text)


def _listed(whole: str, value: dict[str, object] | list[object], kind: Kind | None, zone: tzinfo) -> str:
    """A mapping or list in words; its parts are amounts if the whole is, unless their names say otherwise."""
    if isinstance(value, list):
        return ", ".join(cell(whole, part, kind, zone=zone).says for part in value)
    parts = []
    for name, part in value.items():
        own = _KINDS.get(name, kind)
        if kind == "amount" and own not in ("number", "moment"):
            own = kind
        text = cell("hand" if whole == "hands" else name, part, own, zone=zone).says
        parts += [f"{plain_name(name)} {plain_name(text)}"] * bool(text)
    return ", ".join(parts)


def amount(micros: int) -> str:
    """An exact amount with thousands separators: at least two decimals, and no trailing zeros after them."""
    sign = "-" if micros < 0 else ""
    units, _, rest = money.text(abs(micros)).partition(".")
    return f"{sign}${int(units):,}.{rest}"


def _is_number(cells: Sequence[Cell], kind: Kind | None) -> bool:
    """Whether a column holds numbers; an empty column goes by its kind."""
    return any(cell.number for cell in cells) or (
        kind in ("number", "amount") and not any(cell.says for cell in cells)
    )


def table(
    rows: Sequence[Mapping[str, Any]],
    columns: Sequence[Column] = (),
    without: Collection[str] = (),
    *,
    zone: tzinfo = UTC,
) -> PageTable:
    """Formatted rows, at most ``MOST_ROWS``; the columns are a report's, or known by their names."""
    kinds = {column.name: column.kind for column in columns}
    names = [name for name in rows[0] if name not in without] if rows else []
    cells = [
        [cell(name, row[name], kinds.get(name), zone=zone) for name in names] for row in rows[:MOST_ROWS]
    ]
    summed = {column.name for column in columns if column.total}
    headings = [
        Heading(
            name,
            plain_name(name),
            number=_is_number([row[place] for row in cells], kinds.get(name)),
            total=cell(name, sum(row[name] or 0 for row in rows), kinds[name]) if name in summed else None,
        )
        for place, name in enumerate(names)
    ]
    return PageTable(headings, cells, len(rows))
