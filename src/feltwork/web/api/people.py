"""People through HTTP: who there is, why somebody may do a thing, and secrets that are typed once."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from pydantic import Field

from feltwork.books import staff
from feltwork.books.standing import look
from feltwork.compliance.roles import COMMANDS, Deed
from feltwork.compliance.two_person import Command
from feltwork.operations.authorize import authorize, deeds_of
from feltwork.operations.context import Operation
from feltwork.operations.errors import unknown
from feltwork.progressive.refusal import refuse
from feltwork.web import told
from feltwork.web.answers import people
from feltwork.web.callers import Registrar, SignedIn, Watcher
from feltwork.web.once import Key
from feltwork.web.pages import wants_html
from feltwork.web.permits import permit
from feltwork.web.refusals import REFUSALS
from feltwork.web.screens import people as screen
from feltwork.web.words import Body, Name, Secret

router = APIRouter(prefix="/people", tags=["people"], responses={**REFUSALS})
BadgePath = Annotated[Name, Path(description="The badge.", examples=["B-51"])]


class NewSecret(Body):
    """What somebody types, and the leave for it."""

    enrolment: Name = Field(examples=["P-0c1d2e3f4a5b6c7d"], description="The proposal that granted it.")
    secret: Secret = Field(examples=["2580"])


@router.get("", summary="Everybody with a badge", response_model=people.People)
def show_all(request: Request, by: Registrar) -> Any:
    """Everybody; to add or change somebody is a proposal named `manage_people`."""
    if wants_html(request):
        return screen.everybody(request, by)
    return {"people": [asdict(one) for one in staff.everyone(by.connection)]}


@router.get("/{badge}", summary="Somebody", response_model=people.PersonTold)
def show(request: Request, by: Registrar, badge: BadgePath) -> Any:
    """Whoever has a badge."""
    known = _known(by, badge)
    return screen.somebody(request, by, known) if wants_html(request) else asdict(known)


@router.get("/{badge}/may", summary="Why somebody may do a thing, or not", response_model=people.May)
def may(
    by: Watcher,
    badge: BadgePath,
    command: Annotated[Name | None, Query(description="One command; all without it.")] = None,
    link: Annotated[Name | None, Query(description="The link of the award.")] = None,
    award: Annotated[Name | None, Query(description="What was done to this award counts.")] = None,
) -> dict[str, Any]:
    """The rule that decides for each command, in words that a screen can show."""
    known = _known(by, badge)
    if command is not None and command not in COMMANDS:
        raise unknown(f"command {command}")
    deeds = _deeds(by, link, award)
    names = [command] if command else list(COMMANDS)
    return {
        "person": known.id,
        "role": known.role,
        "answers": [permit(known, Command(name=name, about=award or ""), deeds) for name in names],
    }


@router.post("/{badge}/secret", summary="Type a new PIN or password", response_model=people.SecretSet)
def set_secret(by: SignedIn, key: Key, badge: BadgePath, typed: NewSecret) -> dict[str, Any]:
    """Somebody types what two people have granted, in the session of one of the two; once [GL-10]."""
    authorize(by, Command(name="manage_people", about=badge), waits=True)
    known = _known(by, badge)
    found = [
        one for one in staff.open_enrolments(by.connection, person=known.id) if one.id == typed.enrolment
    ]
    granted = next(iter(found), None)
    where = f"badge {badge}"

    def act() -> dict[str, Any]:
        if granted is None or granted.what == "security key":
            remedy = "propose manage_people with grant_secret"
            raise refuse(where, "no new PIN or password waits under this name", remedy, "GL-10")
        if by.actor.id not in (granted.granted_by, granted.approved_by):
            remedy = f"ask {granted.granted_by} or {granted.approved_by}"
            raise refuse(where, "it is typed with one of the two who granted it", remedy, "GL-10")
        staff.set_secret(by.connection, granted, typed.secret, by=by.actor.id)
        return {"person": known.id, "what": granted.what, "enrolment": granted.id}

    # The key keeps a hash of the body, and a PIN could be guessed from one: it is left out.
    return key.do(by, {"enrolment": typed.enrolment}, act)


def _known(by: Operation, badge: str) -> staff.Known:
    found = staff.everyone(by.connection, badge=badge)
    if not found:
        raise unknown(f"badge {badge}")
    return found[0]


def _deeds(by: Operation, link: str | None, award: str | None) -> list[Deed]:
    if link is None or award is None:
        return []
    told.verify_link(by.connection, link)
    found = look(by.connection, link).state.awards.get(award)
    if found is None:
        raise unknown(f"{link}, award {award}")
    return deeds_of(by.connection, link, found)
