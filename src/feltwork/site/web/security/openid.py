"""Single sign-on for the office: the authorization code flow of OpenID Connect, with PKCE.

The provider identifies the person; the site decides on roles and whether a security key is also required.
"""

import base64
import hashlib
import json
import secrets
import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

import httpx
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from feltwork.site.books.people.sign_in import provider_refused
from feltwork.site.web.settings import Settings

#: Accepted signatures of identity tokens; never one with a shared secret, and never none.
_ALGORITHMS = ("RS256", "PS256", "ES256", "EdDSA")
_TIMEOUT_SECONDS = 5.0
#: Cache lifetime of the provider's description and keys.
_KEPT_SECONDS = 300
_LEEWAY_SECONDS = 30
_MOST_CHARACTERS = 400


@dataclass(frozen=True, slots=True)
class SignInAttempt:
    """A sign-in attempt, stored in a browser cookie until the provider responds."""

    state: str
    nonce: str
    verifier: str
    to: str

    @classmethod
    def begin(cls, to: str) -> "SignInAttempt":
        """A new attempt that returns to a page."""
        return cls(secrets.token_urlsafe(24), secrets.token_urlsafe(24), secrets.token_urlsafe(48), to)

    @classmethod
    def read(cls, cookie: str) -> "SignInAttempt":
        """The attempt stored in a cookie."""
        try:
            parts = json.loads(base64.urlsafe_b64decode(cookie.encode()))
            return cls(*(str(part)[:_MOST_CHARACTERS] for part in parts))
        except (ValueError, TypeError):
            raise provider_refused(
                "this sign-in attempt has expired", "sign in again from the start"
            ) from None

    def cookie(self) -> str:
        """The value of the cookie for the attempt."""
        parts = [self.state, self.nonce, self.verifier, self.to]
        return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode()


def cookie_name(settings: Settings) -> str:
    """The name of the cookie that holds an attempt."""
    return "__Host-feltwork_attempt" if settings.secure_cookie else "feltwork_attempt"


def authorization_url(settings: Settings, attempt: SignInAttempt) -> str:
    """The address of the provider's sign-in page."""
    digest = hashlib.sha256(attempt.verifier.encode()).digest()
    query = {
        "response_type": "code",
        "client_id": settings.oidc_client,
        "redirect_uri": _return_url(settings),
        "scope": "openid profile email",
        "state": attempt.state,
        "nonce": attempt.nonce,
        "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
        "code_challenge_method": "S256",
    }
    page = str(_description(settings)["authorization_endpoint"])
    return f"{page}{'&' if '?' in page else '?'}{urlencode(query)}"


def identify(settings: Settings, attempt: SignInAttempt, *, code: str, state: str) -> str:
    """The id of the person that the provider vouches for."""
    if not secrets.compare_digest(state.encode(), attempt.state.encode()):
        raise provider_refused("the response belongs to another attempt", "sign in again from the start")
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": _return_url(settings),
        "code_verifier": attempt.verifier,
    }
    description = _description(settings)
    login = (settings.oidc_client, settings.read_oidc_secret())
    tokens = _fetch("POST", str(description["token_endpoint"]), data=form, auth=login)
    return _person(settings, attempt, str(tokens.get("id_token", "")), str(description["jwks_uri"]))


def _person(settings: Settings, attempt: SignInAttempt, id_token: str, keys: str) -> str:
    expected = jwt.JWTClaimsRegistry(
        leeway=_LEEWAY_SECONDS,
        iss={"essential": True, "value": settings.oidc_issuer},
        aud={"essential": True, "value": settings.oidc_client},
        exp={"essential": True},
        nonce={"essential": True, "value": attempt.nonce},
    )
    try:
        claims = jwt.decode(id_token, KeySet.import_key_set(_keys(keys)), algorithms=_ALGORITHMS).claims
        expected.validate(claims)
    except (JoseError, ValueError, KeyError, TypeError) as error:
        raise provider_refused(
            f"the sign-in provider's answer cannot be trusted ({error})", "sign in again, or tell IT"
        ) from error
    person = claims.get(settings.oidc_claim)
    if not isinstance(person, str):
        raise provider_refused(
            f"the sign-in provider's response does not identify you (it has no claim {settings.oidc_claim})",
            "tell IT: check FELTWORK_OIDC_CLAIM",
        )
    return person


def _return_url(settings: Settings) -> str:
    return f"{settings.origin}/sign-in/office/return"


def _description(settings: Settings) -> dict[str, Any]:
    """The provider's description of itself, which must name the issuer configured at the site."""
    description = _kept(f"{settings.oidc_issuer.rstrip('/')}/.well-known/openid-configuration", _period())
    if description.get("issuer") != settings.oidc_issuer:
        raise provider_refused(
            f"the sign-in provider calls itself {description.get('issuer')}",
            "tell IT: check FELTWORK_OIDC_ISSUER",
        )
    return description


def _keys(url: str) -> Any:
    return _kept(url, _period())


def _period() -> int:
    return int(time.monotonic() // _KEPT_SECONDS)


@lru_cache(maxsize=8)
def _kept(url: str, _: int) -> dict[str, Any]:
    return _fetch("GET", url)


def _fetch(method: str, url: str, **sent: Any) -> dict[str, Any]:
    try:
        answer = httpx.request(method, url, timeout=_TIMEOUT_SECONDS, follow_redirects=False, **sent)
        answer.raise_for_status()
        return dict(answer.json())
    except (httpx.HTTPError, ValueError, TypeError) as error:
        raise provider_refused(
            "the sign-in provider does not answer, or refused this attempt",
            "try again, or sign in with your password",
        ) from error
