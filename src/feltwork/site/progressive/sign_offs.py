"""Sign-offs: badges, proposers, approvers and reasons."""

from dataclasses import dataclass
from typing import Literal

from feltwork.problem import Sentence
from feltwork.site.progressive.refusal import refuse


@dataclass(frozen=True, slots=True)
class Badge:
    """A credential shown by a person in a role."""

    person: str
    role: Literal["supervisor", "executive"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoPersonRequest:
    """The proposer, approver and reason of a two-person command."""

    by: str
    approved_by: str
    reason: str


def verify_asked(where: str, request: TwoPersonRequest, requirement: str) -> None:
    """Raise unless two different people and a reason are given."""
    verify_two_people(where, request.by, request.approved_by, requirement)
    verify_told(where, "WA-08", reason=request.reason)


def verify_two_people(where: str, by: str, approved_by: str, requirement: str) -> None:
    """Raise unless two different people are named."""
    if not by or not approved_by:
        raise refuse(
            where,
            "this command needs two people",
            "enter the person who proposes and the person who approves",
            requirement,
        )
    if by == approved_by:
        raise refuse(
            where,
            Sentence("%(person)s cannot approve their own proposal", person=by),
            "ask a second person",
            requirement,
        )


def verify_told(where: str, requirement: str, **texts: str) -> None:
    """Raise for an empty required text."""
    for name, text in texts.items():
        if not text.strip():
            raise refuse(
                where,
                Sentence("it has no %(name)s", name=Sentence(name)),
                Sentence("write the %(name)s", name=Sentence(name)),
                requirement,
            )
