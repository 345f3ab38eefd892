"""Floors: checking a floor file, and listing those that were applied."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

from pydantic import Field
from pydantic.dataclasses import dataclass as validated

from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.authorize import authorize
from feltwork.site.books.context import Operation
from feltwork.site.books.fields import COMMAND, FloorText, with_example
from feltwork.site.books.floors import floor_files
from feltwork.site.compliance.check import check
from feltwork.site.compliance.floor_file import read_floor
from feltwork.site.compliance.jurisdiction import jurisdiction
from feltwork.site.compliance.two_person import Command


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class FloorsView:
    """Every floor that was applied, newest first."""

    floors: list[floor_files.FloorView]


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class FloorCheckedView:
    """The errors of a floor file and the findings of its jurisdiction."""

    lawful: bool
    #: What the check rests on, and what it therefore is not.
    basis: str = ""
    errors: list[Problem]
    findings: list[dict[str, Any]]


@validated(config=COMMAND, frozen=True, kw_only=True)
class CheckFloor:
    """Check a floor file under the rules of a day."""

    floor: FloorText
    day: date | None = Field(default=None, description="By the rules of this day; today without it.")


def floors(op: Operation) -> FloorsView:
    """List every floor that was applied, newest first."""
    authorize(op, Command(name="watch", about="floor"))
    return FloorsView(floors=floor_files.floors(op.connection))


def check_floor(op: Operation, command: CheckFloor) -> FloorCheckedView:
    """Report what the jurisdiction refuses and what the operator should consider; nothing is booked."""
    # Who may propose a floor; of programs, those that may read it.
    name = "reconfigure" if op.actor.scopes is None else "watch"
    authorize(op, Command(name=name, about="floor"), waits=True)
    try:
        floor = read_floor(command.floor, where="floor")
    except ProblemsError as error:
        return FloorCheckedView(lawful=False, errors=list(error.problems), findings=[])
    findings = check(floor, on=command.day or datetime.now(tz=UTC).date())
    lawful = not any(finding.severity == "refused" for finding in findings)
    basis, listed = jurisdiction(floor.jurisdiction).basis, [finding.as_json() for finding in findings]
    return FloorCheckedView(lawful=lawful, basis=basis, errors=[], findings=listed)


def for_first_floor(op: Operation) -> Operation:
    """Return the operation for a site's first floor: nobody has a security key or their own PIN yet."""
    if floor_files.floors(op.connection):
        return op
    return replace(op, policy=replace(op.policy, key_required=False, own_pin_required=False))
