"""Installations: software planned with notice to the regulator, then done or canceled [GEN-20]."""

from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from psycopg.rows import class_row
from pydantic import AwareDatetime, Field
from pydantic.dataclasses import dataclass as validated

from feltwork.site.books.authorize import authorize
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.fields import COMMAND, Statement, with_example
from feltwork.site.books.floors.floor_files import floor_in_force
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.queries import statement
from feltwork.site.compliance.check import rulings_of
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive.refusal import refuse

#: Limit for dates: a plan or notice further away is a typing error.
_FAR = timedelta(days=3_650)


@with_example
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


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class InstallationsView:
    """Installations, newest first."""

    installations: list[Installation]


@validated(config=COMMAND, frozen=True, kw_only=True)
class PlanInstallation:
    """A planned installation or live test: what, when, and how the regulator was notified."""

    what: Statement = Field(examples=["release 1.2 on all tables"])
    begins_at: AwareDatetime = Field(examples=["2030-05-06T06:00:00Z"])
    notice: Statement = Field(examples=["by e-mail to the field office"])
    notified_at: AwareDatetime | None = Field(default=None, description="Now without it.")


@validated(config=COMMAND, frozen=True, kw_only=True)
class EndInstallation:
    """The outcome of an installation: done, or canceled."""

    outcome: Literal["done", "cancelled"] = Field(examples=["done"])
    says: Statement = Field(examples=["self-check and doctor found nothing"])


def installations(op: Operation) -> InstallationsView:
    """List installations, newest first."""
    authorize(op, Command(name="watch", about="installations"))
    return InstallationsView(installations=_installations(op.connection))


def installation(op: Operation, number: int) -> Installation:
    """Show one installation."""
    authorize(op, Command(name="watch", about=f"installation {number}"))
    return _found(op.connection, number)


def plan(op: Operation, command: PlanInstallation) -> Installation:
    """Record a planned installation and its notice; New York requires 72 hours between them."""
    authorize(op, Command(name="plan_installation", about="installation"))

    def act() -> Installation:
        told_at = _verify_notice(op.connection, command)
        row = {**asdict(command), "notified_at": told_at, "by": op.actor.id}
        answer = op.connection.execute(statement("plan_installation"), row).fetchone()
        assert answer is not None
        details = {"installation": answer[0], "begins_at": command.begins_at.isoformat()}
        line = AuditLine(
            who=op.actor.id, place="office", what="installation planned", why=command.what, after=details
        )
        write_audit(op.connection, line)
        return _found(op.connection, answer[0])

    return op.perform(asdict(command), Installation, act, why=command.what)


def end(op: Operation, number: int, command: EndInstallation) -> Installation:
    """Record that an installation was done, no earlier than planned, or was canceled; once."""
    authorize(op, Command(name="plan_installation", about=f"installation {number}"))
    where = f"installation {number}"

    def act() -> Installation:
        records = _installations(op.connection, number) if number else []
        if not records:
            raise refuse(where, "it does not exist", "check the list of installations", "GEN-20")
        if command.outcome == "done" and datetime.now(tz=UTC) < records[0].begins_at:
            begins_at = records[0].begins_at.isoformat()
            remedy = f"it begins at {begins_at}; cancel it and plan another to change that"
            raise refuse(where, "the installation has not started yet", remedy, "GEN-20")
        row = (number, command.outcome, command.says, op.actor.id)
        if not op.connection.execute(statement("end_installation"), row).rowcount:
            raise refuse(where, f"the installation is {records[0].outcome}", "plan another", "GEN-20")
        return _found(op.connection, number)

    return op.perform(asdict(command), Installation, act, why=command.says)


def _verify_notice(connection: Connection, planned: PlanInstallation) -> datetime:
    """Return when the regulator was notified; raise if the notice is too short, or a date is wrong."""
    now, begins_at = datetime.now(tz=UTC), planned.begins_at
    told_at = planned.notified_at or now
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
        what = f"the notice is shorter than the {ruling.number} hours of {ruling.source}"
        raise refuse("installation", what, f"begin at {earliest.isoformat()} or later", "GEN-20")
    return told_at


def _installations(connection: Connection, number: int = 0) -> list[Installation]:
    """Every installation, the newest first, or one of them."""
    with connection.cursor(row_factory=class_row(Installation)) as cursor:
        return cursor.execute(statement("installations"), {"number": number}).fetchall()


def _found(connection: Connection, number: int) -> Installation:
    found = _installations(connection, number)
    if not found:
        raise unknown(f"installation {number}")
    return found[0]
