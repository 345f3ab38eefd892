"""Installations: planned with notice to the regulator, then done or canceled [GEN-20]."""

from dataclasses import asdict, dataclass
from typing import Literal, TypeAlias

from pydantic import AwareDatetime, Field
from pydantic.dataclasses import dataclass as validated

from feltwork.site.books.authorize import authorize
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.fields import COMMAND, Statement, with_example
from feltwork.site.books.watch import installations_rows as books
from feltwork.site.books.watch.installations_rows import Installation
from feltwork.site.compliance.two_person import Command

with_example(Installation)
#: The stored record is its own view.
InstallationView: TypeAlias = Installation


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


@dataclass(frozen=True, slots=True, kw_only=True)
class EndInstallation:
    """The outcome of an installation: done, or canceled."""

    number: int
    outcome: Literal["done", "cancelled"]
    says: str


def installations(op: Operation) -> InstallationsView:
    """List installations, newest first."""
    authorize(op, Command(name="watch", about="installations"))
    return InstallationsView(installations=books.installations(op.connection))


def installation(op: Operation, number: int) -> Installation:
    """Show one installation."""
    authorize(op, Command(name="watch", about=f"installation {number}"))
    return _found(op, number)


def plan(op: Operation, command: PlanInstallation) -> Installation:
    """Record a planned installation and its notice; New York requires 72 hours between them."""
    authorize(op, Command(name="plan_installation", about="installation"))

    def act() -> Installation:
        return _found(op, books.plan(op.connection, by=op.actor.id, **asdict(command)))

    return op.perform(asdict(command), Installation, act, why=command.what)


def end(op: Operation, command: EndInstallation) -> Installation:
    """Record that an installation was done, no earlier than planned, or was canceled."""
    authorize(op, Command(name="plan_installation", about=f"installation {command.number}"))

    def act() -> Installation:
        books.end(op.connection, command.number, outcome=command.outcome, note=command.says, by=op.actor.id)
        return _found(op, command.number)

    return op.perform(asdict(command), Installation, act, why=command.says)


def _found(op: Operation, number: int) -> Installation:
    installations = books.installations(op.connection, number)
    if not installations:
        raise unknown(f"installation {number}")
    return installations[0]
