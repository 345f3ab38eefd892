"""Signing in: badge and PIN at a table, badge and password in the office; tries are counted by the books."""

from typing import Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from feltwork.books import people
from feltwork.books.requests import Line, write_audit
from feltwork.compliance.roles import ROLES
from feltwork.problem import ProblemsError
from feltwork.web.callers import COOKIE, Books, SignedIn, Token
from feltwork.web.refusals import REFUSALS, SIGNED_OUT, ProblemBody, RefusedError
from feltwork.web.words import Body, Name, Said, Secret

router = APIRouter(tags=["people"], responses={**REFUSALS})


class BadgeAndPin(Body):
    """What somebody shows at a table."""

    badge: Name = Field(examples=["B-17"])
    pin: Secret = Field(examples=["2580"])
    place: Said = Field(default="floor", examples=["pit 1"])


class BadgeAndPassword(Body):
    """What somebody gives in the office."""

    badge: Name = Field(examples=["B-40"])
    password: Secret = Field(examples=["correct horse battery staple"])
    place: Said = Field(default="office", examples=["office"])


class SignedInAs(BaseModel):
    """Who is signed in, and what they may ask for."""

    person: str
    name: str
    role: str
    may: list[str]
    approves: list[str]


class Session(SignedInAs):
    """A session; the token is for devices, browsers have it in a cookie."""

    token: str


@router.post("/sign-in", summary="Sign in with badge and PIN", responses={**SIGNED_OUT})
def sign_in(request: Request, response: Response, connection: Books, shown: BadgeAndPin) -> Session:
    """Begin a session. After five wrong PINs the badge is locked for a quarter of an hour."""
    person = prove(connection, shown.badge, shown.pin, place=shown.place, by="PIN")
    return _begin(request, response, connection, person, shown.place)


@router.post("/sign-in/office", summary="Sign in with badge and password", responses={**SIGNED_OUT})
def sign_in_office(
    request: Request, response: Response, connection: Books, shown: BadgeAndPassword
) -> Session:
    """Begin a session in the office."""
    person = prove(connection, shown.badge, shown.password, place=shown.place, by="password")
    return _begin(request, response, connection, person, shown.place)


@router.post("/sign-out", summary="End the session")
def sign_out(asking: SignedIn, token: Token) -> JSONResponse:
    """End the session: its token opens nothing any more."""
    people.end_session(asking.connection, token)
    write_audit(asking.connection, Line(who=asking.id, place=asking.place, what="signed out"))
    response = JSONResponse({"signed_out": asking.id})
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return response


@router.get("/me", summary="Who is signed in")
def me(asking: SignedIn) -> SignedInAs:
    """The caller, and what the role grants."""
    return SignedInAs(person=asking.id, name=asking.name, role=asking.role, **_grants(asking.role))


def prove(
    connection: Books, badge: str, given: str, *, place: str, by: Literal["PIN", "password"]
) -> people.Person:
    """The person behind a badge, or a refusal that does not say which half was wrong."""
    try:
        return people.prove(connection, badge, given, place=place, by=by)
    except ProblemsError as error:
        first = error.problems[0]
        body = ProblemBody(
            rule="badge-and-secret",
            requirement=first.requirement,
            what=first.what,
            remedy=first.remedy,
            where=first.where,
        )
        raise RefusedError(401, body) from error


def _begin(
    request: Request, response: Response, connection: Books, person: people.Person, place: str
) -> Session:
    settings = request.app.state.settings
    with connection.transaction():
        token = people.begin_session(connection, person, place=place, seconds=settings.session_seconds)
        write_audit(connection, Line(who=person.id, place=place, what="signed in"))
    response.set_cookie(
        COOKIE,
        token,
        max_age=settings.session_seconds,
        httponly=True,
        samesite="strict",
        secure=settings.secure_cookie,
    )
    grants = _grants(person.role)
    return Session(token=token, person=person.id, name=person.name, role=person.role, **grants)


def _grants(role: str) -> dict[str, list[str]]:
    known = ROLES.get(role)
    return {"may": list(known.may) if known else [], "approves": list(known.approves) if known else []}
