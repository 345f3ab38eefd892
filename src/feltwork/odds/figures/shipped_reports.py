"""Reports shipped with the package: the released paytables and base games with their own options.

They save loading numpy and solving a game. The file names the modules that computed them and the digest of
their source, so reports of changed code are recomputed.
"""

import json
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from feltwork.odds import report
from feltwork.odds.count_cache import SHIPPED, digest_of, reached_by
from feltwork.odds.pricing import RowReturn
from feltwork.odds.report import FigureReport
from feltwork.titles import registry
from feltwork.titles.paytables.paytable import Paytable

FILE = SHIPPED / "reports.json"


def base_report(title: str, options: Mapping[str, str]) -> FigureReport:
    """Report on a base game under optimal play."""
    return _shipped(title, f"{title}/base", options) or report.base_report(title, options)


def bet_report(paytable: Paytable, options: Mapping[str, str]) -> FigureReport:
    """Report on a bet with the given options; the others default to those it is designed for."""
    if paytable == registry.library(paytable.title).get((paytable.bet, paytable.id)):
        known = _shipped(paytable.title, paytable.name, options)
        if known is not None:
            return known
    return report.bet_report(paytable, options)


def bet_reports(paytable: Paytable, options: Mapping[str, str]) -> list[FigureReport]:
    """Report on a bet, on each side unless one is chosen."""
    names = [
        entry.options.get("side", "") for entry in _entries(paytable.title) if entry.name == paytable.name
    ]
    if not names:
        return report.bet_reports(paytable, options)
    if "side" in options or names == [""]:
        return [bet_report(paytable, options)]
    return [bet_report(paytable, {**options, "side": side}) for side in names]


def _shipped(title: str, name: str, options: Mapping[str, str]) -> FigureReport | None:
    """Find the report whose options include the given options."""
    return next(
        (
            entry
            for entry in _entries(title)
            if entry.name == name and options.items() <= entry.options.items()
        ),
        None,
    )


@cache
def _entries(title: str) -> tuple[FigureReport, ...]:
    """Read the reports of a title, none if its code has changed since they were computed."""
    content = json.loads(FILE.read_text(encoding="utf-8")).get(title) if FILE.exists() else None
    if content is None or digest_of(tuple(content["modules"])) != content["digest"]:
        return ()
    return tuple(map(_read, content["reports"]))


def written(title: str, reports: list[FigureReport]) -> dict[str, object]:
    """Return a title's reports in the shipped format."""
    modules = reached_by((registry.title(title).odds, report.__name__))
    entries = [
        {
            "name": entry.name,
            "method": entry.method,
            "options": dict(entry.options),
            "lines": [
                [line.hand, line.pays, str(line.probability), _text(line.returns), line.deals]
                for line in entry.lines
            ],
            "figures": {name: str(value) for name, value in entry.figures.items()},
            "strategy": entry.strategy,
            "error": str(entry.error),
        }
        for entry in reports
    ]
    return {"modules": modules, "digest": digest_of(tuple(modules)), "reports": entries}


def _text(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


def _read(entry: Mapping[str, Any]) -> FigureReport:
    return FigureReport(
        name=entry["name"],
        method=entry["method"],
        options=entry["options"],
        lines=tuple(
            RowReturn(hand, pays, Fraction(chance), None if returns is None else Fraction(returns), deals)
            for hand, pays, chance, returns, deals in entry["lines"]
        ),
        figures={name: Fraction(value) for name, value in entry["figures"].items()},
        strategy=tuple(entry["strategy"]),
        error=Fraction(entry["error"]),
    )
