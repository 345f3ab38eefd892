"""Columns of reports: which hold amounts, which hold moments, and how a cell is told to people."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from feltwork import money

#: Columns that hold millionths of the currency unit.
AMOUNTS = frozenset(
    {
        "accrued",
        "accrued_since_count",
        "adjusted",
        "after",
        "amount",
        "awards_from_house",
        "awards_from_meter",
        "awards_reversed",
        "bank_balance",
        "bank_difference",
        "before",
        "began_with",
        "cap",
        "change",
        "closing",
        "contributed",
        "current",
        "difference",
        "displayed",
        "envy",
        "envy_from_tray",
        "fixed",
        "fixed_from_tray",
        "from_house",
        "from_meter",
        "grew_to",
        "meter_after",
        "meter_before",
        "misdealt",
        "not_displayed",
        "opened",
        "opening",
        "over_at_count",
        "overflow",
        "paid",
        "payable",
        "pending",
        "required",
        "reserve",
        "reserved",
        "restart_reserve",
        "restart_seed",
        "returned",
        "reversed",
        "seed",
        "seeds_and_house",
        "to_house",
        "to_meters",
        "to_reserves",
        "transferred",
        "unexplained",
        "wager",
        "wagered",
        "won",
    }
)
#: Columns that hold a name of the data, which people read with spaces.
_NAMES = frozenset({"hand"})
#: What stays empty where nothing happened, so that the eye finds what did.
_SILENT = (0, None, "")


def cell(name: str, value: Any) -> dict[str, Any]:
    """A cell as a page shows it: its words, and whether it is a figure."""
    if name in AMOUNTS and isinstance(value, int):
        return {"says": amount(value), "number": True, "silent": value == 0}
    if isinstance(value, bool):
        return {"says": "yes" if value else "no", "number": False, "silent": False}
    if isinstance(value, int):
        return {"says": f"{value:,}" if value >= 10_000 else str(value), "number": True, "silent": value == 0}
    if isinstance(value, datetime):
        return {"says": value.strftime("%Y-%m-%d %H:%M:%S"), "number": False, "silent": False}
    if isinstance(value, dict | list):
        return {"says": _listed(value), "number": False, "silent": not value}
    says = "" if value in _SILENT else str(value)
    return {
        "says": says.replace("_", " ") if name in _NAMES else says,
        "number": False,
        "silent": value in _SILENT,
    }


def _listed(value: dict[str, Any] | list[Any]) -> str:
    """What a cell holds several of, in words; what is deeper stays as it is kept."""
    if isinstance(value, list) or any(isinstance(one, dict | list) for one in value.values()):
        return json.dumps(value, default=str)
    return ", ".join(f"{name.replace('_', ' ')} {one}" for name, one in value.items())


def amount(micros: int) -> str:
    """An amount to the last digit that is not zero, but never less than cents, with thousands apart."""
    sign = "-" if micros < 0 else ""
    units, _, rest = money.text(abs(micros)).partition(".")
    return f"{sign}${int(units):,}.{rest}"


def table(rows: list[Mapping[str, Any]]) -> dict[str, Any]:
    """Rows as a page shows them: the names of the columns, and the cells."""
    names = list(rows[0]) if rows else []
    return {
        "columns": [
            {"name": name, "says": name.replace("_", " "), "number": _is_figure(name, rows)} for name in names
        ],
        "rows": [[cell(name, row[name]) for name in names] for row in rows],
    }


def _is_figure(name: str, rows: list[Mapping[str, Any]]) -> bool:
    return any(cell(name, row[name])["number"] for row in rows)
