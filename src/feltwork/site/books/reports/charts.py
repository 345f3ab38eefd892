"""Figures for charts: meters over time with their hits, and jackpot drop and hold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal, TypeAlias

from feltwork.site.books.context import Operation
from feltwork.site.books.floors.site import site_name
from feltwork.site.books.reports import Row
from feltwork.site.books.reports.report import ReportRequest
from feltwork.site.books.reports.reports import run

Group: TypeAlias = Literal["day", "table", "game"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DropFigures:
    """Jackpot wagers of a day, a table or a game, and what the operator holds of them."""

    name: str
    rounds: int
    drop: int
    contributed: int
    paid: int
    hold: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DropView:
    """Jackpot drop and hold of some days, by day, table or game."""

    site: str
    days: int
    by: Group
    figures: Sequence[DropFigures]
    total: DropFigures


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterHistory:
    """The meter of a level over some days, and its hits."""

    points: Sequence[tuple[datetime, int]]
    hits: Sequence[Row]


def drop_and_hold(op: Operation, *, days: int, by: Group) -> DropView:
    """Show jackpot drop and hold of the last days; largest first, days in order."""
    rows = run(op, "drop_and_hold", ReportRequest(since=_days_ago(days)))
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row[by], []).append(row)
    figures = [_sum(name, group) for name, group in groups.items()]
    figures.sort(key=lambda figure: figure.name if by == "day" else (-figure.drop, figure.name))
    return DropView(site=site_name(op.connection), days=days, by=by, figures=figures, total=_sum("", rows))


def meter_history(op: Operation, link: str, level: str, *, days: int) -> MeterHistory:
    """Show the meter of a level over the last days, and its hits, newest first."""
    rows = run(op, "meter_history", ReportRequest(link=link, level=level, since=_days_ago(days)))
    return MeterHistory(
        points=[(row["booked_at"], row["meter"]) for row in rows if row["meter"] is not None],
        hits=[row for row in reversed(rows) if row["hit"] is not None],
    )


def _days_ago(days: int) -> datetime:
    return datetime.now(UTC) - timedelta(days=days)


def _sum(name: str, rows: Sequence[Mapping[str, int]]) -> DropFigures:
    names = ("rounds", "drop", "contributed", "paid", "hold")
    return DropFigures(name=name, **{field: sum(row[field] for row in rows) for field in names})
