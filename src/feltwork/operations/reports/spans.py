"""The days or weeks that a period is split into: gambling days, by the clock on the wall."""

from datetime import UTC, datetime, timedelta
from typing import TypedDict

from feltwork.books.audit.export import Period
from feltwork.books.connection import Connection
from feltwork.books.reports import block, rows
from feltwork.compliance.floor import GamblingDay
from feltwork.operations.floors.site import floor_in_force
from feltwork.operations.reports.report import ReportRequest


class Spans(TypedDict):
    """When each span begins and ends, and when the last one does."""

    begins: list[datetime]
    ends: list[datetime]
    until: datetime


def spans(connection: Connection, request: ReportRequest, *, days: int) -> Spans:
    """Split what a request covers, from its beginning or the first entry until now."""
    (first,) = (row["booked_at"] for row in rows(connection, block("first_entry")))
    if first is None:
        return Spans(begins=[], ends=[], until=request.until)
    floor = floor_in_force(connection)
    period = Period(since=max(request.since, first), until=min(request.until, datetime.now(UTC)))
    periods = split(period, floor.day if floor else None, days=days)
    begins = [max(begin, request.since) for begin, _ in periods]
    return Spans(begins=begins, ends=[min(end, request.until) for _, end in periods], until=request.until)


def split(period: Period, day: GamblingDay | None, *, days: int) -> list[tuple[datetime, datetime]]:
    """Whole spans of so many days, the first of them around the beginning of a period.

    A gambling day begins at its hour on the wall, also after a change of the clocks. Before there is a floor
    file to name the hour, the first day begins with the period.
    """

    def begins(number: int) -> datetime:
        if day is None:
            return period.since + timedelta(days=number)
        return day.bounds(day.of(period.since) + timedelta(days=number))[0].astimezone(UTC)

    periods: list[tuple[datetime, datetime]] = []
    while period.since < period.until and (begin := begins(days * len(periods))) < period.until:
        periods.append((begin, begins(days * (len(periods) + 1))))
    return periods
