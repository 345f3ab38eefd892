"""Incidents: malfunctions opened, reported to the regulator in time, and closed [WA-32]."""

from dataclasses import asdict, dataclass
from typing import Literal, TypeAlias

from pydantic import AwareDatetime, Field
from pydantic.dataclasses import dataclass as validated

from feltwork.site.books.authorize import authorize
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.fields import COMMAND, Name, Statement, with_example
from feltwork.site.books.links.links_rows import link_kinds
from feltwork.site.books.watch import incidents_rows as books
from feltwork.site.books.watch.incidents_rows import Incident
from feltwork.site.compliance.two_person import Command

with_example(Incident)
#: The stored record is its own view.
IncidentView: TypeAlias = Incident


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


@dataclass(frozen=True, slots=True, kw_only=True)
class StepIncident:
    """A step of an incident: the regulator was notified, or the incident is closed with its cause."""

    number: int
    step: Literal["notified", "closed"]
    says: str


def incidents(op: Operation) -> IncidentsView:
    """List incidents, newest first."""
    authorize(op, Command(name="watch", about="incidents"))
    return IncidentsView(incidents=books.incidents(op.connection))


def incident(op: Operation, number: int) -> Incident:
    """Show one incident."""
    authorize(op, Command(name="watch", about=f"incident {number}"))
    return _found(op, number)


def open_incident(op: Operation, command: OpenIncident) -> Incident:
    """Open an incident; in Washington the regulator must be notified within 72 hours."""
    authorize(op, Command(name="open_incident", about=command.link or ""))
    if command.link is not None and command.link not in link_kinds(op.connection):
        raise unknown(f"link {command.link}")

    def act() -> Incident:
        number = books.open_incident(
            op.connection,
            what=command.what,
            by=op.actor.id,
            link=command.link or "",
            table=command.table or "",
            learned_at=command.learned_at,
        )
        return _found(op, number)

    return op.perform(asdict(command), Incident, act, why=command.what)


def step_incident(op: Operation, command: StepIncident) -> Incident:
    """Record that the regulator was notified, or close the incident with its cause; each once, in order."""
    authorize(op, Command(name="tell_incident", about=f"incident {command.number}"))

    def act() -> Incident:
        books.step(op.connection, command.number, step_name=command.step, note=command.says, by=op.actor.id)
        return _found(op, command.number)

    return op.perform(asdict(command), Incident, act, why=command.says)


def _found(op: Operation, number: int) -> Incident:
    incidents = books.incidents(op.connection, number)
    if not incidents:
        raise unknown(f"incident {number}")
    return incidents[0]
