"""Signing in to the office: badge and password, then the security key, or a new one that was granted."""

from typing import Any, Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import Field

from feltwork.books import security_keys, staff
from feltwork.books.requests import Line, write_audit
from feltwork.books.security_keys import Challenge
from feltwork.operations.context import prove
from feltwork.operations.errors import RefusedError
from feltwork.problem import ProblemsError
from feltwork.web import security_key
from feltwork.web.answers import Told, shown
from feltwork.web.callers import Books
from feltwork.web.refusals import REFUSALS
from feltwork.web.security_key import Credential, NewCredential
from feltwork.web.settings import Settings
from feltwork.web.sign_in import Session, begin
from feltwork.web.words import Body, Name, Said, Secret

router = APIRouter(prefix="/sign-in/office", tags=["people"], responses={**REFUSALS})


class BadgeAndPassword(Body):
    """What somebody gives in the office."""

    badge: Name = Field(examples=["B-40"])
    password: Secret = Field(examples=["correct horse battery staple"])
    place: Said = Field(default="office", examples=["office"])


class KeyWanted(Told):
    """The password was right; a key must sign before the session begins."""

    model_config = shown(
        needs="security_key", ticket="a-ticket", options={"challenge": "c2lnbiB0aGlz", "rpId": "localhost"}
    )

    needs: Literal["security_key", "new_security_key"]
    ticket: str
    options: dict[str, Any]


class Signed(Body):
    """A ticket, and what the key has signed for it."""

    ticket: str = Field(min_length=1, max_length=100, examples=["a-ticket"])
    credential: Credential = Field(
        examples=[
            {
                "id": "a2V5",
                "rawId": "a2V5",
                "type": "public-key",
                "response": {"clientDataJSON": "e30", "authenticatorData": "AAAA", "signature": "AAAA"},
            }
        ]
    )


class NewKey(Body):
    """A ticket, and the key that was made for it."""

    ticket: str = Field(min_length=1, max_length=100, examples=["a-ticket"])
    credential: NewCredential = Field(
        examples=[
            {
                "id": "a2V5",
                "rawId": "a2V5",
                "type": "public-key",
                "response": {"clientDataJSON": "e30", "attestationObject": "AAAA"},
            }
        ]
    )


@router.post(
    "",
    summary="Sign in with badge and password",
    response_model=Session,
    responses={202: {"model": KeyWanted, "description": "A security key is wanted."}},
)
def sign_in(
    request: Request, response: Response, connection: Books, given: BadgeAndPassword
) -> Session | JSONResponse:
    """Begin a session in the office, or say which key must sign first."""
    settings: Settings = request.app.state.settings
    person = prove(connection, given.badge, given.password, place=given.place, by="password")
    keys = staff.known(connection, person.id).keys
    granted = [one for one in staff.open_enrolments(connection, person=person.id) if one.what == _KEY]
    if granted:
        ticket, challenge = security_keys.ask(
            connection, person.id, place=given.place, enrolment=granted[0].id
        )
        options = security_key.options_for_new(settings, person, keys, challenge)
        return _wanted(KeyWanted(needs="new_security_key", ticket=ticket, options=options))
    if keys:
        ticket, challenge = security_keys.ask(connection, person.id, place=given.place)
        options = security_key.options_for_use(settings, keys, challenge)
        return _wanted(KeyWanted(needs="security_key", ticket=ticket, options=options))
    if settings.key_required:
        remedy = "ask two people who manage people for a security key"
        raise security_key.refused("the office takes a security key, and none is registered", remedy)
    return begin(request, response, connection, person, given.place, proof="password")


@router.post("/key", summary="Sign with the security key", response_model=Session)
def sign(request: Request, response: Response, connection: Books, signed: Signed) -> Session:
    """Begin the session once the key has signed the challenge; a ticket is good for one try."""
    settings: Settings = request.app.state.settings
    asked = _asked(connection, signed.ticket, new=False)
    try:
        public_key = security_keys.public_key_of(connection, signed.credential.id, asked.person.id)
        counter = security_key.verify_use(settings, signed.credential, asked.challenge, public_key)
        security_keys.use(connection, signed.credential.id, counter)
    except (RefusedError, ProblemsError) as error:
        raise _told(connection, asked, error) from error
    return begin(request, response, connection, asked.person, asked.place, proof=_KEY)


@router.post("/new-key", summary="Register a security key", response_model=Session)
def register(request: Request, response: Response, connection: Books, made: NewKey) -> Session:
    """Keep a key that two people have granted, and begin the session with it."""
    settings: Settings = request.app.state.settings
    asked = _asked(connection, made.ticket, new=True)
    try:
        key, public_key, counter = security_key.verify_new(settings, made.credential, asked.challenge)
        security_keys.register(connection, asked, key=key, public_key=public_key, counter=counter)
    except (RefusedError, ProblemsError) as error:
        raise _told(connection, asked, error) from error
    return begin(request, response, connection, asked.person, asked.place, proof=_KEY)


_KEY: Literal["security key"] = "security key"


def _wanted(key: KeyWanted) -> JSONResponse:
    return JSONResponse(key.model_dump(), 202)


def _asked(connection: Books, ticket: str, *, new: bool) -> Challenge:
    asked = security_keys.answer(connection, ticket)
    if asked is None or (asked.enrolment is not None) is not new:
        raise security_key.refused("the ticket was used, or has lapsed", "sign in again from the start")
    return asked


def _told(connection: Books, asked: Challenge, error: RefusedError | ProblemsError) -> RefusedError:
    """The refusal as the caller hears it, and a line of the audit log."""
    if isinstance(error, ProblemsError):
        error = security_key.refused(error.problems[0].what, error.problems[0].remedy)
    line = Line(who=asked.person.id, place=asked.place, what="sign-in refused", why=error.refusal.what)
    write_audit(connection, line)
    return error
