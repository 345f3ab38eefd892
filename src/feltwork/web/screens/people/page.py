"""People: who has a badge, why somebody may do a thing or not, and what two people change about it."""

from dataclasses import asdict

from fastapi import Request
from fastapi.responses import Response

from feltwork.compliance.roles import ROLES
from feltwork.operations.context import Operation
from feltwork.operations.floors.site import site_name
from feltwork.operations.people import people, proposals
from feltwork.operations.people.people import AskPermissions, PeopleView, PersonView
from feltwork.web.rendering.templating import Model, page

#: What can be proved, and whether somebody can.
_PROOFS = ("PIN", "password", "security key")


def everybody(request: Request, by: Operation, everyone: PeopleView) -> Response:
    """The page about everybody; its twin is the list of the API."""
    model = {
        "site": site_name(by.connection),
        "people": [_told(one) for one in everyone.people],
        "roles": [_role(name) for name in ROLES],
        **_changes(by),
    }
    return page(request, "people.html", model, me=by.actor.me)


def somebody(request: Request, by: Operation, known: PersonView) -> Response:
    """The page about one person: every command with its answer, what they may do first."""
    answers = people.permissions(by, AskPermissions(badge=known.badge)).answers
    model = {
        "site": site_name(by.connection),
        "person": _told(known),
        "role": _role(known.role) if known.role in ROLES else None,
        "allowed": [one for one in answers if one.allowed],
        "together": [one for one in answers if one.needs_second_person],
        "refused": [one for one in answers if not one.allowed and not one.needs_second_person],
        "enrolments": [
            {**asdict(one), "mine": by.actor.id in (one.granted_by, one.approved_by)}
            for one in people.open_enrolments(by, known.id)
        ],
        "roles": [_role(name) for name in ROLES],
        "proofs": _PROOFS,
        "own": by.actor.id == known.id,
        **_changes(by, about=known.id),
    }
    return page(request, "person.html", model, me=by.actor.me)


def _told(known: PersonView) -> Model:
    state = "shut out" if not known.active else "locked" if known.locked else "active"
    has = (known.has_pin, known.has_password, bool(known.keys))
    return {
        **asdict(known),
        "state": state,
        "proves": [proof for proof, there in zip(_PROOFS, has, strict=True) if there],
    }


def _role(name: str) -> dict[str, str]:
    return {"name": name, "says": ROLES[name].says, "department": ROLES[name].department}


def _changes(by: Operation, *, about: str = "") -> Model:
    """What waits for a second person, and whether the reader may propose more."""
    waiting = [
        one
        for one in proposals.waiting_for(by)
        if one.command == "manage_people" and about in ("", one.about)
    ]
    return {"proposals": waiting, "manages": by.actor.may("manage_people")}
