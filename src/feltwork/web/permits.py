"""Permits: for each command why somebody may give it or not, with the rule that decides and the remedy."""

from collections.abc import Iterator, Sequence
from typing import Any

from feltwork.books import staff
from feltwork.compliance import roles
from feltwork.compliance.roles import COMMANDS, Answer, Context, Deed
from feltwork.compliance.two_person import Command
from feltwork.operations.authorize import refusal_of_second


def permit(known: staff.Known, command: Command, deeds: Sequence[Deed] = ()) -> dict[str, Any]:
    """Whether somebody may do a thing, and why."""
    person = roles.Person(known.id, (known.role,) if known.role else ())
    answer = next(_shut(known), roles.may(person, command, Context(deeds=deeds)))
    approves = known.active and bool(roles.approving(person.roles, command.name))
    waits = not answer.allowed and answer.rule == "two-people"
    return {
        "command": command.name,
        "says": COMMANDS[command.name].says,
        "allowed": answer.allowed,
        "needs_second_person": waits,
        "may_approve": COMMANDS[command.name].two_people
        and approves
        and refusal_of_second(known.id, command, deeds) is None,
        "rule": answer.rule,
        "requirement": answer.requirement,
        "why": answer.why,
        "remedy": answer.remedy,
    }


def _shut(known: staff.Known) -> Iterator[Answer]:
    if not known.active:
        why, remedy = f"{known.id} was shut out", "propose manage_people with let_in"
        yield Answer(allowed=False, rule="shut-out", requirement="TR-03", why=why, remedy=remedy)
