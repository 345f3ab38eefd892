"""Office sign-in: badge and password or a provider, then a known or newly granted security key."""

from dataclasses import asdict, dataclass
from typing import Annotated, ClassVar, Literal

from fastapi import Query, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse
from pydantic import ConfigDict, Field

from feltwork.site.books.errors import RefusedError
from feltwork.site.books.fields import example
from feltwork.site.books.people import sign_in as operations
from feltwork.site.books.people.sign_in import (
    KeyChallenge,
    SessionView,
    SignInToOffice,
)
from feltwork.site.web.fields import Body
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.security import openid, webauthn
from feltwork.site.web.security.auth import Anyone
from feltwork.site.web.security.sign_in import with_cookie
from feltwork.site.web.security.webauthn import BrowserOptions, Credential, NewCredential
from feltwork.site.web.settings import Settings
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/sign-in/office", tags=["people"], responses={**REFUSALS})
#: Timeout for the sign-in at the provider.
_ATTEMPT_SECONDS = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyWanted:
    """The challenge for a security key after a correct password."""

    __pydantic_config__: ClassVar[ConfigDict] = example(
        needs="security_key", ticket="a-ticket", options={"challenge": "c2lnbiB0aGlz", "rpId": "localhost"}
    )

    needs: Literal["security_key", "new_security_key"]
    ticket: str
    options: BrowserOptions


class ProviderAnswer(Body):
    """The code and state that the provider gave the browser."""

    code: str = Field(min_length=1, max_length=4_000, examples=["a-code"])
    state: str = Field(min_length=1, max_length=400, examples=["a-state"])


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
    request: Request, response: Response, by: Anyone, body: SignInToOffice
) -> SessionView | JSONResponse:
    """Start an office session, or return the challenge for a security key."""
    return _answer(request, response, operations.sign_in_to_office(by, body))


@router.get("/provider", include_in_schema=False)
def ask_provider(
    request: Request, by: Anyone, to: Annotated[str, Query(alias="next", max_length=300)] = "/"
) -> Response:
    """Send the browser to the sign-in provider."""
    settings: Settings = request.app.state.settings
    attempt = openid.SignInAttempt.begin(to)
    try:
        _verify_provider(settings)
        page = openid.authorization_url(settings, attempt)
    except RefusedError:
        page = f"{router.prefix}/return"
    response = RedirectResponse(page, 303)
    response.set_cookie(
        openid.cookie_name(settings),
        attempt.cookie(),
        max_age=_ATTEMPT_SECONDS,
        httponly=True,
        # The redirect back from the provider is a cross-site request.
        samesite="lax",
        secure=settings.secure_cookie,
    )
    return response


@router.post(
    "/provider",
    summary="Sign in through the provider",
    response_model=SessionView,
    responses={202: {"model": KeyWanted, "description": "A security key is required."}},
)
def sign_in_through_provider(
    request: Request, response: Response, by: Anyone, body: ProviderAnswer
) -> SessionView | JSONResponse:
    """Start an office session for the person that the provider names, or return the challenge for a key."""
    settings: Settings = request.app.state.settings
    _verify_provider(settings)
    cookie = request.cookies.get(openid.cookie_name(settings), "")

    def identify() -> str:
        return openid.identify(settings, openid.SignInAttempt.read(cookie), code=body.code, state=body.state)

    view = operations.sign_in_through_provider(by, identify)
    return _answer(request, response, view)


def _answer(
    request: Request, response: Response, view: SessionView | KeyChallenge
) -> SessionView | JSONResponse:
    if not isinstance(view, KeyChallenge):
        return with_cookie(request, response, view)
    options = webauthn.options_for(request.app.state.settings, view)
    needs: Literal["security_key", "new_security_key"] = "new_security_key" if view.new else "security_key"
    return JSONResponse(asdict(KeyWanted(needs=needs, ticket=view.ticket, options=options)), 202)


def _verify_provider(settings: Settings) -> None:
    if not settings.oidc_issuer:
        raise operations.provider_refused("this site has no sign-in provider", "sign in with your password")


@router.post("/key", summary="Sign with the security key")
def sign(request: Request, response: Response, by: Anyone, signed: SignedChallenge) -> SessionView:
    """Start the session with a signed challenge; a ticket is valid for one attempt."""
    settings: Settings = request.app.state.settings

    def verify(challenge: bytes, public_key: bytes) -> int:
        return webauthn.verify_use(settings, signed.credential, challenge, public_key)

    session = operations.sign_with_key(by, signed.ticket, signed.credential.id, verify)
    return with_cookie(request, response, session)


@router.post("/new-key", summary="Register a security key")
def register(request: Request, response: Response, by: Anyone, body: NewKey) -> SessionView:
    """Register a key that two people granted, and start the session with it."""
    settings: Settings = request.app.state.settings

    def verify(challenge: bytes) -> tuple[str, bytes, int]:
        return webauthn.verify_new(settings, body.credential, challenge)

    return with_cookie(request, response, operations.register_key(by, body.ticket, verify))
