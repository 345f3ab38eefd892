"""Reports whose rows the rules compute: days and weeks, cash, the submission, and what the floor names."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from feltwork.money import WHOLE_BASIS_POINTS
from feltwork.site.books.audit.record_retention import record_retention
from feltwork.site.books.awards.cash import cash_report
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Policy
from feltwork.site.books.floors import floor_files
from feltwork.site.books.floors.floor_files import Period
from feltwork.site.books.floors.site import floor_in_force, verify_link
from feltwork.site.books.journal.journal import entries_after
from feltwork.site.books.journal.link_state import read_meters
from feltwork.site.books.reports import Row, block, rows
from feltwork.site.books.reports.report import ReportRequest
from feltwork.site.compliance.floor import GamblingDay
from feltwork.site.compliance.link_odds import Uncounted, offer_at, percent, stated_returns
from feltwork.site.progressive.refusal import refuse
from feltwork.titles.paytables.paytable import Share


def cash_rows(connection: Connection, request: ReportRequest, policy: Policy) -> Sequence[Row]:
    return cash_report(connection, request.day, payer=policy.payer)


def record_retention_rows(connection: Connection, _request: ReportRequest, _policy: Policy) -> Sequence[Row]:
    return record_retention(connection)


def submission_rows(connection: Connection, request: ReportRequest, _policy: Policy) -> Sequence[Row]:
    link = request.link or ""
    verify_link(connection, link)
    return submission(connection, link)


def journal_rows(connection: Connection, request: ReportRequest, _policy: Policy) -> Sequence[Row]:
    link = request.link or ""
    verify_link(connection, link)
    return entries_after(connection, link, after=request.after, limit=request.limit)


def drop_and_hold_rows(connection: Connection, request: ReportRequest, _policy: Policy) -> Sequence[Row]:
    floor = floor_in_force(connection)
    if floor is None:
        return ()
    about = {"zone": floor.day.time_zone, "hour": floor.day.starts_at_hour}
    figures = rows(connection, block("drop_and_hold"), since=request.since, until=request.until, **about)
    games = {table.id: table.known_as or table.game.title for table in floor.tables}
    return [{**row, "game": games.get(row["table"], "")} for row in figures]


def register_rows(connection: Connection, request: ReportRequest, _policy: Policy) -> Sequence[Row]:
    return rows(connection, block("register"), **spans(connection, request, days=1))


def deposits_rows(connection: Connection, request: ReportRequest, _policy: Policy) -> Sequence[Row]:
    return rows(connection, block("deposits"), **spans(connection, request, days=7))


def spans(connection: Connection, request: ReportRequest, *, days: int) -> dict[str, Any]:
    """Begin and end of each span of a request, from its beginning or the first entry, until now."""
    (first,) = (row["booked_at"] for row in rows(connection, block("first_entry")))
    if first is None:
        return {"begins": [], "ends": [], "until": request.until}
    floor = floor_in_force(connection)
    period = Period(since=max(request.since, first), until=min(request.until, datetime.now(UTC)))
    periods = split(period, floor.day if floor else None, days=days)
    return {
        "begins": [max(begin, request.since) for begin, _ in periods],
        "ends": [min(end, request.until) for _, end in periods],
        "until": request.until,
    }


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


def submission(connection: Connection, link: str) -> list[dict[str, Any]]:
    """A row for each device and prize, from the version in force and the floor in force."""
    runs = read_meters(connection, link).state.link
    floor = floor_files.floor_in_force(connection)
    about = next((candidate for candidate in floor.links if candidate.id == link), None)
    if about is None:
        remedy = "apply a floor file that contains it"
        raise refuse(f"link {link}", "the current floor file does not contain it", remedy, "GEN-17")
    levels = {level.name: level for level in runs.levels}
    fed = sum(level.contribution + level.reserve for level in runs.levels)
    rows = []
    for name in about.tables:
        table = floor.table_by_id[name]
        offered, stated = offer_at(about, table), stated_returns(about, table)
        uncounted = next((figure.why for figure in (offered, stated) if isinstance(figure, Uncounted)), "")
        for side in ("",) if isinstance(offered, Uncounted) else offered.prices:
            back = (
                () if isinstance(stated, Uncounted) else [figure for figure in stated if figure.side == side]
            )
            returned = "; ".join(f"{percent(figure.returns.total)} {figure.crowd}" for figure in back)
            for place, row in enumerate(runs.paytable.rows):
                level = levels.get(row.pays.level) if isinstance(row.pays, Share) else None
                rows.append(
                    {
                        "link": link,
                        "version": runs.fingerprint,
                        "table": table.id,
                        "game": table.game.name,
                        "location": table.location,
                        "manufacturer": table.manufacturer,
                        "sensors": table.sensors,
                        "paytable": runs.paytable.name,
                        "wager": runs.wager,
                        "side": side,
                        "hand": row.hand,
                        "pays": str(row.pays),
                        "probability": offered.why
                        if isinstance(offered, Uncounted)
                        else str(offered.prices[side].probability(place)),
                        "level": level.name if level else "",
                        "reset": level.seed + level.amount if level else None,
                        "cap": level.cap if level else None,
                        "contribution_basis_points": level.contribution if level else None,
                        "reserve_basis_points": level.reserve if level else None,
                        "house_basis_points": WHOLE_BASIS_POINTS - fed,
                        "returns": returned or uncounted,
                    }
                )
    return rows
