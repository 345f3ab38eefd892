"""People: badges and roles, permissions with their reasons, and two-person changes."""

from dataclasses import asdict
from itertools import groupby
from operator import attrgetter

from fastapi import Request
from fastapi.responses import Response

from feltwork.site.books.context import Operation
from feltwork.site.books.floors.site import site_name
from feltwork.site.books.people import access_reviews, people, proposals, service_accounts
from feltwork.site.books.people.service_tokens import ACTOR_PREFIX
from feltwork.site.books.people.staff import PersonView
from feltwork.site.books.scopes import SCOPES
from feltwork.site.compliance.roles import ROLES
from feltwork.site.web.fields import Name
from feltwork.site.web.rendering.catalog import N_
from feltwork.site.web.rendering.templating import Model, fields_of, page
from feltwork.site.web.security.auth import SignedIn
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter()

#: Ways to sign in.
_PROOFS = (N_("PIN"), N_("password"), N_("security key"))


@router.get("/people")
def everybody(request: Request, by: SignedIn) -> Response:
    """The list of people."""
    everyone = people.everyone(by)
    model = {
        "site": site_name(by.connection),
        "people": [_row(person) for person in everyone.people],
        "places": {
            person: sorted(duty.place for duty in duties)
            for person, duties in groupby(
                sorted(everyone.on_duty, key=attrgetter("person")), attrgetter("person")
            )
        },
        "roles": [_role(name) for name in ROLES],
        **_changes(by),
    }
    return page(request, "people.html", model, by=by)


@router.get("/people/{badge}")
def somebody(request: Request, by: SignedIn, badge: Name) -> Response:
    """A person, with every command and whether they may give it."""
    known = people.person(by, badge)
    answers = people.permissions(by, known.badge).answers
    model = {
        "site": site_name(by.connection),
        "person": _row(known),
        "role": _role(known.role) if known.role in ROLES else None,
        "answers": {
            N_("Yes"): [answer for answer in answers if answer.allowed],
            N_("With a second person"): [answer for answer in answers if answer.needs_second_person],
            N_("No"): [answer for answer in answers if not answer.allowed and not answer.needs_second_person],
        },
        "enrollments": [
            {**asdict(enrollment), "mine": by.actor.id == enrollment.approved_by}
            for enrollment in people.open_enrollments(by, known.id)
        ],
        "roles": [_role(name) for name in ROLES],
        "proofs": _PROOFS,
        "own": by.actor.id == known.id,
        **_changes(by, about=known.id),
    }
    return page(request, "person.html", model, by=by)


@router.get("/access-reviews")
def reviews(request: Request, by: SignedIn) -> Response:
    """The checklist of an access review, and the reviews on file."""
    view = access_reviews.access_reviews(by)
    names = {person.id: person.name for person in view.people}
    names |= {account.actor: account.name for account in view.service_accounts}
    badges = {person.id: f"/people/{person.badge}" for person in view.people}
    last = {
        person["id"]: person.get("note", "") for person in (view.reviews[0].people if view.reviews else ())
    }
    model = {
        "site": site_name(by.connection),
        "people": [
            {**_row(person), "may": ROLES[person.role].says if person.role else ""} for person in view.people
        ],
        "service_accounts": [
            {**fields_of(account), "actor": account.actor} for account in view.service_accounts
        ],
        "to_change": [
            {"name": names[actor], "to": badges.get(actor, "/service-accounts"), "note": last[actor]}
            for actor in view.to_change
        ],
        "reviews": view.reviews,
        "due_by": view.due_by,
        "overdue": view.overdue,
        "may_review": by.actor.may("review_access"),
    }
    return page(request, "access_reviews.html", model, by=by)


@router.get("/service-accounts")
def machines(request: Request, by: SignedIn) -> Response:
    """Service accounts with their tokens, and the tokens that the reader may make now."""
    waiting = proposals.waiting_for(by)
    model = {
        "site": site_name(by.connection),
        "service_accounts": service_accounts.service_accounts(by).service_accounts,
        "grants": service_accounts.open_grants(by),
        "scopes": list(SCOPES.values()),
        "proposals": [proposal for proposal in waiting if proposal.about.startswith(ACTOR_PREFIX)],
        "manages": by.actor.may("manage_people"),
    }
    return page(request, "service_accounts.html", model, by=by)


def _row(known: PersonView) -> Model:
    state = N_("deactivated") if not known.active else N_("locked") if known.locked else N_("active")
    has = (known.has_pin, known.has_password, bool(known.keys))
    return {
        **asdict(known),
        "state": state,
        "proves": [proof for proof, there in zip(_PROOFS, has, strict=True) if there],
    }


def _role(name: str) -> dict[str, str]:
    return {"name": name, "says": ROLES[name].says, "department": ROLES[name].department}


def _changes(by: Operation, *, about: str = "") -> Model:
    """Open proposals about people, and whether the reader may propose."""
    waiting = [
        proposal
        for proposal in proposals.waiting_for(by)
        if proposal.command == "manage_people" and about in ("", proposal.about)
    ]
    return {"proposals": waiting, "manages": by.actor.may("manage_people")}
