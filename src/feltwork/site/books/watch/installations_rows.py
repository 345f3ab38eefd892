"""Installations: software installed or tested live, the notice given, and the outcome."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from psycopg.rows import class_row

from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floors_rows import floor_in_force
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.queries import statement
from feltwork.site.compliance.check import rulings_of
from feltwork.site.progressive.refusal import refuse

#: Limit for dates: a plan or notice further away is a typing error.
_FAR = timedelta(days=3_650)


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """An installation; without an outcome it is still planned."""

    number: int
    what: str
    begins_at: datetime
    notified_at: datetime
    notice: str
    planned_by: str
    planned_at: datetime
    outcome: Literal["done", "cancelled"] | None
    says: str | None
    ended_by: str | None
    ended_at: datetime | None


def plan(
    connection: Connection,
    *,
    what: str,
    begins_at: datetime,
    notice: str,
    by: str,
    notified_at: datetime | None = None,
) -> int:
    """Record a planned installation and its notice; too short a notice is refused [GEN-20]."""
    now = datetime.now(tz=UTC)
    told_at = notified_at or now
    if told_at > now + timedelta(minutes=1):
        raise refuse(
            "installation", "the notice is dated in the future", "notify the regulator first", "GEN-20"
        )
    if max(begins_at - now, now - told_at) > _FAR:
        raise refuse("installation", "a date is more than ten years away", "check the year", "GEN-20")
    if begins_at < now:
        raise refuse("installation", "the start time is in the past", "choose a time in the future", "GEN-20")
    ruling = rulings_of(floor_in_force(connection), on=begins_at.date())["install_notice_hours"]
    earliest = told_at + timedelta(hours=ruling.number or 0)
    if begins_at < earliest:
        what_is_wrong = f"the notice is shorter than the {ruling.number} hours of {ruling.source}"
        raise refuse("installation", what_is_wrong, f"begin at {earliest.isoformat()} or later", "GEN-20")
    row = {"what": what, "begins_at": begins_at, "notified_at": told_at, "notice": notice, "by": by}
    with connection.transaction():
        answer = connection.execute(statement("plan_installation"), row).fetchone()
        assert answer is not None
        number: int = answer[0]
        details = {"installation": number, "begins_at": begins_at.isoformat()}
        line = AuditLine(who=by, place="office", what="installation planned", why=what, after=details)
        write_audit(connection, line)
    return number


def installations(connection: Connection, number: int = 0) -> list[Installation]:
    """Every installation, the newest first, or one of them."""
    with connection.cursor(row_factory=class_row(Installation)) as cursor:
        return cursor.execute(statement("installations"), {"number": number}).fetchall()


def end(
    connection: Connection, number: int, *, outcome: Literal["done", "cancelled"], note: str, by: str
) -> None:
    """Record that it was done or cancelled, once, and not done before its start time."""
    records = installations(connection, number) if number else []
    where = f"installation {number}"
    if not records:
        raise refuse(where, "it does not exist", "check the list of installations", "GEN-20")
    if outcome == "done" and datetime.now(tz=UTC) < records[0].begins_at:
        remedy = f"it begins at {records[0].begins_at.isoformat()}; cancel it and plan another to change that"
        raise refuse(where, "the installation has not started yet", remedy, "GEN-20")
    if not connection.execute(statement("end_installation"), (number, outcome, note, by)).rowcount:
        raise refuse(where, f"the installation is {records[0].outcome}", "plan another", "GEN-20")
