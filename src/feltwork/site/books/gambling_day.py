"""Gambling days, by the hours in the current floor file."""

from datetime import UTC, date, datetime, timedelta

from feltwork.site.books.audit.export import Period
from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floors_rows import floor_in_force
from feltwork.site.compliance.floor import GamblingDay
from feltwork.site.progressive.refusal import refuse

_DAYS_AGO = {"TODAY": 0, "YESTERDAY": 1}


def gambling_day(connection: Connection) -> GamblingDay:
    """The gambling day of the floor in force [WA-25]."""
    return floor_in_force(connection).day


def period_of(connection: Connection, text: str) -> Period:
    """The period named ``ALL``, ``TODAY``, ``YESTERDAY``, or by a gambling day such as ``2026-01-31``."""
    if text == "ALL":
        return Period()
    hours = gambling_day(connection)
    try:
        if text in _DAYS_AGO:
            day = hours.of(datetime.now(UTC)) - timedelta(days=_DAYS_AGO[text])
        else:
            day = date.fromisoformat(text)
        since, until = hours.bounds(day)
    except (ValueError, OverflowError) as error:
        remedy = "enter ALL, TODAY, YESTERDAY or a date such as 2026-01-31"
        raise refuse(f"day {text}", "this is not a date", remedy, "WA-25") from error
    return Period(day.isoformat(), since, until)
