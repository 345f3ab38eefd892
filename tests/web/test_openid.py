"""Identity tokens of a provider that lies, is broken, or is somebody else."""

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Policy, anonymous
from feltwork.site.books.errors import RefusedError
from feltwork.site.books.people.sign_in import (
    provider_refused,
    sign_in_through_provider,
)
from feltwork.site.web.security import openid
from feltwork.site.web.security.openid import SignInAttempt, identify
from feltwork.site.web.settings import Settings

KEY, FOREIGN = (RSAKey.generate_key(2048, {"kid": "1"}) for _ in range(2))


class LyingProvider:
    """A provider that answers with a given token."""

    def __init__(self) -> None:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.answer(outer.keys() if self.path == "/keys" else outer.description)

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.answer({"id_token": outer.token, "access_token": "x", "token_type": "Bearer"})

            def answer(self, body: Any) -> None:
                data = json.dumps(body).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.description: dict[str, Any] = {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
        }
        self.token = ""

    def keys(self) -> dict[str, Any]:
        return {"keys": [{**KEY.as_dict(private=False), "kid": "1"}]}


@pytest.fixture
def provider() -> Iterator[LyingProvider]:
    provider = LyingProvider()
    thread = threading.Thread(target=provider.server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    openid._kept.cache_clear()
    yield provider
    provider.server.shutdown()
    provider.server.server_close()
    thread.join()


@pytest.fixture
def settings(provider: LyingProvider, tmp_path: Path) -> Settings:
    secret = tmp_path / "secret"
    secret.write_text("s")
    return Settings(dsn="", oidc_issuer=provider.url, oidc_client="feltwork", oidc_secret=secret)


def token(
    provider: LyingProvider, attempt: SignInAttempt, key: Any = KEY, alg: str = "RS256", **overrides: Any
) -> str:
    now = int(time.time())
    usual = {"iss": provider.url, "aud": "feltwork", "exp": now + 60, "iat": now, "nonce": attempt.nonce}
    claims = {**usual, "sub": "7", "preferred_username": "ann", **overrides}
    payload = {name: value for name, value in claims.items() if value is not None}
    return jwt.encode({"alg": alg, "kid": "1"}, payload, key, algorithms=[alg])


def unsigned(provider: LyingProvider, attempt: SignInAttempt) -> str:
    body = token(provider, attempt).split(".")[1]
    return f"eyJhbGciOiJub25lIn0.{body}."


@pytest.mark.requirement("GL-10")
def test_a_true_token_names_the_person(provider: LyingProvider, settings: Settings) -> None:
    attempt = SignInAttempt.begin("/office")
    assert SignInAttempt.read(attempt.cookie()) == attempt
    provider.token = token(provider, attempt)
    assert identify(settings, attempt, code="c", state=attempt.state) == "ann"


@pytest.mark.requirement("GL-10")
@pytest.mark.parametrize(
    "forged",
    [
        lambda p, a: token(p, a, key=FOREIGN),
        lambda p, a: token(p, a, key=OctKey.import_key(json.dumps(p.keys())), alg="HS256"),
        unsigned,
        lambda p, a: token(p, a, nonce="that of another attempt"),
        lambda p, a: token(p, a, nonce=None),
        lambda p, a: token(p, a, aud="another site"),
        lambda p, a: token(p, a, iss="http://127.0.0.1:1"),
        lambda p, a: token(p, a, exp=int(time.time()) - 120),
        lambda p, a: token(p, a, exp=None),
        lambda p, a: token(p, a, preferred_username=None),
        lambda p, a: token(p, a, preferred_username=["ann"]),
        lambda _, __: "",
        lambda _, __: "not.a.token",
    ],
    ids=[
        "signed by another key",
        "signed with the public key as a secret",
        "not signed",
        "of another attempt",
        "of no attempt",
        "for another site",
        "of another provider",
        "expired",
        "without an end",
        "without a name",
        "with several names",
        "missing",
        "junk",
    ],
)
def test_any_other_token_names_nobody(provider: LyingProvider, settings: Settings, forged: Any) -> None:
    attempt = SignInAttempt.begin("/")
    provider.token = forged(provider, attempt)
    with pytest.raises(RefusedError, match="provider"):
        identify(settings, attempt, code="c", state=attempt.state)


def test_a_foreign_state_cookie_or_issuer_is_refused(provider: LyingProvider, settings: Settings) -> None:
    attempt = SignInAttempt.begin("/")
    provider.token = token(provider, attempt)
    with pytest.raises(RefusedError, match="another attempt"):
        identify(settings, attempt, code="c", state=SignInAttempt.begin("/").state)
    for cookie in ("", "AAAA", "e30=", "WzEsMl0=", "\x00"):
        with pytest.raises(RefusedError, match="expired"):
            SignInAttempt.read(cookie)
    provider.description["issuer"] = "http://127.0.0.1:2"
    openid._kept.cache_clear()
    with pytest.raises(RefusedError, match="calls itself"):
        identify(settings, attempt, code="c", state=attempt.state)


@pytest.mark.requirement("GL-10")
def test_a_refusal_of_the_provider_is_passed_on_and_written_down(writer: Connection) -> None:
    def identify() -> str:
        raise provider_refused("the sign-in provider refuses", "try again")

    op = anonymous(writer, Policy(), place="office")
    with pytest.raises(RefusedError, match="the sign-in provider refuses"):
        sign_in_through_provider(op, identify)
    with pytest.raises(RefusedError, match="nobody by that id works here"):
        sign_in_through_provider(op, lambda: "nobody")
    rows = writer.execute("SELECT what, why FROM books.audit WHERE who = 'provider'").fetchall()
    assert [what for what, _ in rows] == ["sign-in refused"] * 2
