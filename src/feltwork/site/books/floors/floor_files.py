"""Registered floor files, and the gambling days that the one in force sets."""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from psycopg.rows import dict_row

from feltwork.problem import ProblemsError
from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.queries import statement
from feltwork.site.compliance import floor as compliance
from feltwork.site.compliance.floor import GamblingDay
from feltwork.site.compliance.floor_file import read_floor
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.sign_offs import TwoPersonRequest, verify_asked

_DAYS_AGO = {"TODAY": 0, "YESTERDAY": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorView:
    """A floor that was applied."""

    number: int
    fingerprint: str
    registered_by: str
    approved_by: str
    registered_at: str


@dataclass(frozen=True, slots=True)
class Period:
    """A period from one instant up to another, by the database's clock; ``ALL`` is unbounded."""

    name: str = "ALL"
    since: datetime = datetime(1, 1, 1, tzinfo=UTC)
    until: datetime = datetime(9999, 1, 1, tzinfo=UTC)


def register_floor(connection: Connection, body: str, request: TwoPersonRequest) -> int:
    """Register a floor file and return its number."""
    verify_asked("floor", request, "GEN-19")
    fingerprint = hashlib.sha256(body.encode()).hexdigest()
    with connection.transaction():
        row = (fingerprint, body, request.by, request.approved_by)
        answer = connection.execute(statement("register_floor"), row).fetchone()
        assert answer is not None
        details = {"number": answer[0], "fingerprint": fingerprint, "approved_by": request.approved_by}
        line = AuditLine(
            who=request.by, place="office", what="floor registered", why=request.reason, after=details
        )
        write_audit(connection, line)
    number: int = answer[0]
    return number


def floors(connection: Connection) -> list[FloorView]:
    """Every floor, the newest first."""
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(statement("floors")).fetchall()
    return [FloorView(**{**row, "registered_at": row["registered_at"].isoformat()}) for row in rows]


def floor_in_force(connection: Connection) -> compliance.Floor:
    """The floor that was applied last; raises if there is none."""
    row = connection.execute(statement("floor_in_force")).fetchone()
    if row is None:
        raise refuse("floor", "no floor file has been applied", "apply a floor file first", "GEN-06")
    return _read(row[0])


def number_in_effect(connection: Connection) -> tuple[int, bool]:
    """The number of the floor applied last, and whether commits wait for a standby; raises without one."""
    row = connection.execute(statement("floor_number")).fetchone()
    if row is None or row[0] is None:
        raise refuse("floor", "no floor file has been applied", "apply a floor file first", "GEN-06")
    return int(row[0]), bool(row[1])


def verify_stands(connection: Connection, link: str, table: str, seats: Collection[int] = ()) -> None:
    """Raise unless the floor in force has the table, for this link and with these seats [GEN-06]."""
    problem = compliance.why_not_on_floor(floor_in_force(connection), link, table, seats)
    if problem is not None:
        raise ProblemsError([problem])


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


@lru_cache(maxsize=8)
def _read(text: str) -> compliance.Floor:
    return read_floor(text, where="floor")
