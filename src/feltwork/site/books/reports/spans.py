"""Splitting of a period into days or weeks: gambling days, by wall-clock time."""

from datetime import UTC, datetime, timedelta
from typing import TypedDict

from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floor_files import Period
from feltwork.site.books.floors.site import floor_in_force
from feltwork.site.books.reports import block, rows
from feltwork.site.books.reports.report import ReportRequest
from feltwork.site.compliance.floor import GamblingDay


class Spans(TypedDict):
    """Beginning and end of each span, and the end of the request."""

    begins: list[datetime]
    ends: list[datetime]
    until: datetime


def spans(connection: Connection, request: ReportRequest, *, days: int) -> Spans:
    """Split the period of a request, from its beginning or the first entry, until now."""
    (first,) = (row["booked_at"] for row in rows(connection, block("first_entry")))
    if first is None:
        return Spans(begins=[], ends=[], until=request.until)
    floor = floor_in_force(connection)
    period = Period(since=max(request.since, first), until=min(request.until, datetime.now(UTC)))
    periods = split(period, floor.day if floor else None, days=days)
    begins = [max(begin, request.since) for begin, _ in periods]
    return Spans(begins=begins, ends=[min(end, request.until) for _, end in periods], until=request.until)


def split(period: Period, day: GamblingDay | None, *, days: int) -> list[tuple[datetime, datetime]]:
    """Return whole spans of ``days`` days, the first of which contains the beginning of a period.

    A gambling day begins at its wall-clock hour, even after a daylight saving change. Without a floor file to
    set the hour, the first day begins with the period.
    """

    def begins(number: int) -> datetime:
        if day is None:
            return period.since + timedelta(days=number)
        return day.bounds(day.of(period.since) + timedelta(days=number))[0].astimezone(UTC)

    periods: list[tuple[datetime, datetime]] = []
    while period.since < period.until and (begin := begins(days * len(periods))) < period.until:
        periods.append((begin, begins(days * (len(periods) + 1))))
    return periods
