"""Office sign-in: badge and password, then a known or newly granted security key."""

from dataclasses import asdict, dataclass
from typing import ClassVar, Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import ConfigDict, Field

from feltwork.operations.fields import example
from feltwork.operations.people import sign_in as operations
from feltwork.operations.people.sign_in import (
    KeyChallenge,
    RegisterKey,
    SessionView,
    SignInToOffice,
    SignWithKey,
)
from feltwork.web.fields import Body
from feltwork.web.problem_responses import REFUSALS
from feltwork.web.security import webauthn
from feltwork.web.security.auth import Anyone
from feltwork.web.security.sign_in import with_cookie
from feltwork.web.security.webauthn import BrowserOptions, Credential, NewCredential
from feltwork.web.settings import Settings

router = APIRouter(prefix="/sign-in/office", tags=["people"], responses={**REFUSALS})


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyWanted:
    """The challenge for a security key after a correct password."""

    __pydantic_config__: ClassVar[ConfigDict] = example(
        needs="security_key", ticket="a-ticket", options={"challenge": "c2lnbiB0aGlz", "rpId": "localhost"}
    )

    needs: Literal["security_key", "new_security_key"]
    ticket: str
    options: BrowserOptions


class SignedChallenge(Body):
    """A ticket and the signed challenge."""

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
    """A ticket and the new key."""

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
    response_model=SessionView,
    responses={202: {"model": KeyWanted, "description": "A security key is required."}},
)
def sign_in(
    request: Request, response: Response, by: Anyone, given: SignInToOffice
) -> SessionView | JSONResponse:
    """Start an office session, or return the challenge for a security key."""
    settings: Settings = request.app.state.settings
    view = operations.sign_in_to_office(by, given)
    if not isinstance(view, KeyChallenge):
        return with_cookie(request, response, view)
    options = webauthn.options_for(settings, view)
    needs: Literal["security_key", "new_security_key"] = "new_security_key" if view.new else "security_key"
    return JSONResponse(asdict(KeyWanted(needs=needs, ticket=view.ticket, options=options)), 202)


@router.post("/key", summary="Sign with the security key")
def sign(request: Request, response: Response, by: Anyone, signed: SignedChallenge) -> SessionView:
    """Start the session with a signed challenge; a ticket is valid for one attempt."""
    settings: Settings = request.app.state.settings

    def verify(challenge: bytes, public_key: bytes) -> int:
        return webauthn.verify_use(settings, signed.credential, challenge, public_key)

    command = SignWithKey(ticket=signed.ticket, key=signed.credential.id, verify=verify)
    return with_cookie(request, response, operations.sign_with_key(by, command))


@router.post("/new-key", summary="Register a security key")
def register(request: Request, response: Response, by: Anyone, made: NewKey) -> SessionView:
    """Register a key that two people granted, and start the session with it."""
    settings: Settings = request.app.state.settings

    def verify(challenge: bytes) -> tuple[str, bytes, int]:
        return webauthn.verify_new(settings, made.credential, challenge)

    command = RegisterKey(ticket=made.ticket, verify=verify)
    return with_cookie(request, response, operations.register_key(by, command))
