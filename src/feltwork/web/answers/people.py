"""Answers about people: who has a badge, and why somebody may or may not do a thing."""

from typing import Any

from pydantic.dataclasses import dataclass

from feltwork.books.staff import Known
from feltwork.web.answers import Told, shown

_GUS: dict[str, Any] = {
    "id": "gus",
    "name": "Gus",
    "role": "dealer",
    "badge": "B-51",
    "active": True,
    "locked": False,
    "has_pin": True,
    "has_password": False,
    "keys": [],
}
_NO: dict[str, Any] = {
    "command": "confirm",
    "says": "confirm an award with a badge",
    "allowed": False,
    "needs_second_person": False,
    "may_approve": False,
    "rule": "roles",
    "requirement": "WA-30",
    "why": "dealer may not confirm an award with a badge",
    "remedy": "ask: supervisor, executive",
}


@dataclass(config=shown(**_GUS), frozen=True, kw_only=True)
class PersonTold(Known):
    """Somebody, and what they can prove themselves with; never the secrets."""


class People(Told):
    """Everybody with a badge."""

    model_config = shown(people=[_GUS])

    people: list[PersonTold]


class MayAnswer(Told):
    """Whether somebody may do one thing, the rule that decided, and what to do about a no."""

    model_config = shown(**_NO)

    command: str
    says: str
    allowed: bool
    #: Allowed, once somebody else approves exactly that.
    needs_second_person: bool
    may_approve: bool
    rule: str
    requirement: str
    why: str
    remedy: str


class May(Told):
    """What somebody may do and why."""

    model_config = shown(person="gus", role="dealer", answers=[_NO])

    person: str
    role: str
    answers: list[MayAnswer]


class SecretSet(Told):
    """A new PIN or password is kept, as a hash."""

    model_config = shown(person="gus", what="PIN", enrolment="P-0c1d2e3f4a5b6c7d")

    person: str
    what: str
    enrolment: str


class OwnSecretSet(Told):
    """One's own new PIN or password is kept, as a hash."""

    model_config = shown(person="gus", what="PIN")

    person: str
    what: str
