"""Incidents: malfunctions opened, reported to the regulator in time, and closed [WA-32]."""

from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from psycopg.rows import class_row
from pydantic import AwareDatetime, Field
from pydantic.dataclasses import dataclass as validated

from feltwork.problem import Sentence
from feltwork.site.books.authorize import authorize
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.fields import COMMAND, Name, Statement, with_example
from feltwork.site.books.floors.floor_files import floor_in_force
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.links.versions import link_kinds
from feltwork.site.books.queries import statement
from feltwork.site.compliance.check import rulings_of
from feltwork.site.compliance.payout import notify_by
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive.refusal import refuse

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@with_example
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


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentsView:
    """Incidents, newest first."""

    incidents: list[Incident]


@validated(config=COMMAND, frozen=True, kw_only=True)
class OpenIncident:
    """A malfunction: what, where, and when it was discovered."""

    what: Statement = Field(examples=["a sensor fails at C1"])
    link: Name | None = Field(default=None, examples=["crazy4"])
    table: Name | None = Field(default=None, examples=["C1"])
    learned_at: AwareDatetime | None = Field(default=None, description="Defaults to now.")


@validated(config=COMMAND, frozen=True, kw_only=True)
class IncidentNote:
    """The method of the regulator notice, or the cause of the malfunction."""

    says: Statement = Field(examples=["by e-mail to the field office"])


def show_incidents(op: Operation) -> IncidentsView:
    """List incidents, newest first."""
    authorize(op, Command(name="watch", about="incidents"))
    return IncidentsView(incidents=incidents(op.connection))


def show_incident(op: Operation, number: int) -> Incident:
    """Show one incident."""
    authorize(op, Command(name="watch", about=f"incident {number}"))
    return _found(op.connection, number)


def open_incident(op: Operation, command: OpenIncident) -> Incident:
    """Open an incident; in Washington the regulator must be notified within 72 hours."""
    authorize(op, Command(name="open_incident", about=command.link or ""))
    if command.link is not None and command.link not in link_kinds(op.connection):
        raise unknown(f"link {command.link}")

    def act() -> Incident:
        number = record_incident(
            op.connection,
            what=command.what,
            by=op.actor.id,
            link=command.link or "",
            table=command.table or "",
            learned_at=command.learned_at,
        )
        return _found(op.connection, number)

    return op.perform(asdict(command), Incident, act, why=command.what)


def step_incident(
    op: Operation, number: int, step: Literal["notified", "closed"], command: IncidentNote
) -> Incident:
    """Record that the regulator was notified, or close the incident with its cause; each once, in order."""
    authorize(op, Command(name="tell_incident", about=f"incident {number}"))
    where = f"incident {number}"

    def act() -> Incident:
        records = incidents(op.connection, number) if number else []
        if not records:
            raise refuse(where, "it does not exist", "check the list of incidents", "WA-32")
        if step == "closed" and records[0].notify_by is not None and records[0].notified_at is None:
            raise refuse(where, "the regulator has not been notified", "notify the regulator first", "WA-32")
        row = (number, step, command.says, op.actor.id)
        if not op.connection.execute(statement("step_incident"), row).rowcount:
            what = Sentence("the incident was already %(step)s", step=Sentence(step))
            raise refuse(where, what, "check the incident", "WA-32")
        return _found(op.connection, number)

    return op.perform(asdict(command), Incident, act, why=command.says)


def incidents(connection: Connection, number: int = 0) -> list[Incident]:
    """Every incident, the newest first, or one of them."""
    with connection.cursor(row_factory=class_row(Incident)) as cursor:
        return cursor.execute(statement("incidents"), {"number": number}).fetchall()


def record_incident(
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


def _found(connection: Connection, number: int) -> Incident:
    found = incidents(connection, number)
    if not found:
        raise unknown(f"incident {number}")
    return found[0]
