"""Signing in with badge and PIN, and signing out; tries are counted by the books."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import Field

from feltwork.books import people
from feltwork.books.requests import Line, write_audit
from feltwork.books.staff import Proof
from feltwork.compliance.roles import ROLES
from feltwork.operations.context import prove
from feltwork.web.answers import Told, office
from feltwork.web.answers import shown as shown_as
from feltwork.web.callers import COOKIE, Books, SignedIn, Token
from feltwork.web.refusals import REFUSALS, SIGNED_OUT
from feltwork.web.words import Body, Name, Said, Secret

router = APIRouter(tags=["people"], responses={**REFUSALS})


class BadgeAndPin(Body):
    """What somebody shows at a table."""

    badge: Name = Field(examples=["B-17"])
    pin: Secret = Field(examples=["2580"])
    place: Said = Field(default="floor", examples=["pit 1"])


_EVE = {"person": "eve", "name": "Eve", "role": "executive", "may": ["watch"], "approves": ["install"]}


class SignedInAs(Told):
    """Who is signed in, and what they may ask for."""

    model_config = shown_as(**_EVE)

    person: str
    name: str
    role: str
    may: list[str]
    approves: list[str]


class Session(SignedInAs):
    """A session; the token is for devices, browsers have it in a cookie."""

    model_config = shown_as(**_EVE, token="a-token-that-only-this-session-has")

    token: str


@router.post("/sign-in", summary="Sign in with badge and PIN", responses={**SIGNED_OUT})
def sign_in(request: Request, response: Response, connection: Books, shown: BadgeAndPin) -> Session:
    """Begin a session. After five wrong PINs the badge is locked for a quarter of an hour."""
    person = prove(connection, shown.badge, shown.pin, place=shown.place, by="PIN")
    return begin(request, response, connection, person, shown.place)


@router.post("/sign-out", summary="End the session", response_model=office.SignedOut)
def sign_out(asking: SignedIn, token: Token) -> JSONResponse:
    """End the session: its token opens nothing any more."""
    people.end_session(asking.connection, token)
    write_audit(asking.connection, Line(who=asking.actor.id, place=asking.actor.place, what="signed out"))
    response = JSONResponse({"signed_out": asking.actor.id})
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return response


def begin(
    request: Request,
    response: Response,
    connection: Books,
    person: people.Person,
    place: str,
    *,
    proof: Proof = "PIN",
) -> Session:
    """A session for somebody who has proved themselves."""
    settings = request.app.state.settings
    with connection.transaction():
        token = people.begin_session(
            connection, person, place=place, seconds=settings.session_seconds, proof=proof
        )
        write_audit(connection, Line(who=person.id, place=place, what="signed in", why=proof))
    response.set_cookie(
        COOKIE,
        token,
        max_age=settings.session_seconds,
        httponly=True,
        samesite="strict",
        secure=settings.secure_cookie,
    )
    grants = grants_of(person.role)
    return Session(token=token, person=person.id, name=person.name, role=person.role, **grants)


def grants_of(role: str) -> dict[str, list[str]]:
    """What a role may ask for, and what it approves."""
    known = ROLES.get(role)
    return {"may": list(known.may) if known else [], "approves": list(known.approves) if known else []}
