"""Registered floor files."""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from feltwork.problem import ProblemsError
from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.queries import statement
from feltwork.site.compliance import floor as compliance
from feltwork.site.compliance.floor_file import read_floor
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.sign_offs import TwoPersonRequest, verify_asked


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisteredFloor:
    """A registered floor; its links take effect one by one, each while it is suspended [GEN-06]."""

    number: int
    fingerprint: str
    registered_by: str
    approved_by: str
    registered_at: datetime


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


def floors(connection: Connection) -> list[RegisteredFloor]:
    """Every floor, the newest first."""
    names = ("number", "fingerprint", "registered_by", "approved_by", "registered_at")
    rows = connection.execute(statement("floors")).fetchall()
    return [RegisteredFloor(**dict(zip(names, row, strict=True))) for row in rows]


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


@lru_cache(maxsize=8)
def _read(text: str) -> compliance.Floor:
    return read_floor(text, where="floor")
