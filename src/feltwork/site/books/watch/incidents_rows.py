"""Incidents: a malfunction, the deadline for notifying the regulator, and its end [WA-32]."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from psycopg.rows import class_row

from feltwork.problem import Sentence
from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floors_rows import floor_in_force
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.queries import statement
from feltwork.site.compliance.check import rulings_of
from feltwork.site.compliance.payout import notify_by
from feltwork.site.progressive.refusal import refuse

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """A malfunction; late means that the deadline to notify the regulator has passed."""

    number: int
    link: str
    table: str
    what: str
    learned_at: datetime
    notify_by: datetime | None
    opened_by: str
    notified_at: datetime | None
    notice: str | None
    closed_at: datetime | None
    cause: str | None
    late: bool


def open_incident(
    connection: Connection,
    *,
    what: str,
    by: str,
    link: str = "",
    table: str = "",
    learned_at: datetime | None = None,
    rule: str = "malfunction_hours",
) -> int:
    """Record a malfunction, or what another rule reports; the deadline runs from its discovery."""
    now = datetime.now(tz=UTC)
    learned = learned_at or now
    if learned > now + timedelta(minutes=1):
        raise refuse("incident", "the time is in the future", "correct the time", "WA-32")
    rulings = rulings_of(floor_in_force(connection), on=learned.date())
    due = notify_by((learned - _EPOCH) // _MICROSECOND, rulings=rulings, rule=rule)
    row = {
        "link": link,
        "table": table,
        "what": what,
        "learned_at": learned,
        "notify_by": None if due is None else _EPOCH + due * _MICROSECOND,
        "by": by,
    }
    with connection.transaction():
        answer = connection.execute(statement("open_incident"), row).fetchone()
        assert answer is not None
        number: int = answer[0]
        line = AuditLine(who=by, place="floor", what="incident opened", why=what, after={"incident": number})
        write_audit(connection, line)
    return number


def incidents(connection: Connection, number: int = 0) -> list[Incident]:
    """Every incident, the newest first, or one of them."""
    with connection.cursor(row_factory=class_row(Incident)) as cursor:
        return cursor.execute(statement("incidents"), {"number": number}).fetchall()


def step(
    connection: Connection, number: int, *, step_name: Literal["notified", "closed"], note: str, by: str
) -> None:
    """Record that the regulator was notified or the incident closed, each once and in this order."""
    records = incidents(connection, number) if number else []
    where = f"incident {number}"
    if not records:
        raise refuse(where, "it does not exist", "check the list of incidents", "WA-32")
    if step_name == "closed" and records[0].notify_by is not None and records[0].notified_at is None:
        raise refuse(where, "the regulator has not been notified", "notify the regulator first", "WA-32")
    if not connection.execute(statement("step_incident"), (number, step_name, note, by)).rowcount:
        raise refuse(
            where,
            Sentence("the incident was already %(step)s", step=Sentence(step_name)),
            "check the incident",
            "WA-32",
        )
