"""Security headers, the same-origin check, the reader's language, and addresses that end in ``.json``."""

from urllib.parse import parse_qs, urlsplit

from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from feltwork.site.web.problem_responses import answer_problem, problem_of
from feltwork.site.web.rendering.catalog import N_, language, select_language, switch_language

#: Nothing is loaded from another host, and no inline script or style runs.
POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
_HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
)
#: Behind TLS only: a browser that has seen it no longer connects without TLS.
_TLS_ONLY = (b"strict-transport-security", b"max-age=31536000")
_NOT_CACHED = (b"cache-control", b"no-store")
_READS = ("GET", "HEAD", "OPTIONS")
_SUFFIX = ".json"
#: Cookie with the language of a screen, and the query parameter that chooses it.
_LANGUAGE_COOKIE = "feltwork_language"
_LANGUAGE_CHOICE = b"language="
_YEAR_SECONDS = 31_536_000


class SecurityMiddleware:
    """ASGI middleware for every request."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on unless a page of another origin sent it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        settings = scope["app"].state.settings

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = [*message["headers"], *_HEADERS]
                if has_choice:
                    sent.append(_language_cookie(chosen, secure=settings.secure_cookie))
                if settings.secure_cookie:
                    sent.append(_TLS_ONLY)
                if not scope["path"].startswith("/static/") and not any(
                    name.lower() == b"cache-control" for name, _ in sent
                ):
                    sent.append(_NOT_CACHED)
                message["headers"] = sent
            await send(message)

        headers = dict(scope["headers"])
        select_language(settings.language or headers.get(b"accept-language", b"").decode("latin-1"))
        switch_language(_chosen_before(headers))
        chosen = _chosen_now(scope)
        switch_language(chosen)
        has_choice = chosen == language()
        if scope["method"] not in _READS and _is_foreign(headers):
            problem = problem_of(
                403,
                rule="same-origin",
                requirement="GL-10",
                what=N_("Another website sent this request."),
                remedy=N_("Use the screens of this service."),
            )
            await answer_problem(problem)(scope, receive, send_with_headers)
            return
        _rewrite_json_address(scope)
        await self._app(scope, receive, send_with_headers)


def _chosen_now(scope: Scope) -> str:
    """The language that the address chooses for this screen, such as a sign, where nobody signs in."""
    query: bytes = scope["query_string"]
    if scope["method"] != "GET" or _LANGUAGE_CHOICE not in query:
        return ""
    return parse_qs(query.decode("latin-1")).get("language", [""])[0]


def _chosen_before(headers: dict[bytes, bytes]) -> str:
    return cookie_parser(headers.get(b"cookie", b"").decode("latin-1")).get(_LANGUAGE_COOKIE, "")


def _language_cookie(chosen: str, *, secure: bool) -> tuple[bytes, bytes]:
    rest = f"Max-Age={_YEAR_SECONDS}; Path=/; SameSite=Lax; HttpOnly{'; Secure' if secure else ''}"
    return b"set-cookie", f"{_LANGUAGE_COOKIE}={chosen}; {rest}".encode()


def _is_foreign(headers: dict[bytes, bytes]) -> bool:
    """Whether a browser sent the request from another origin; devices send neither header and no cookie."""
    if headers.get(b"sec-fetch-site", b"none") not in (b"same-origin", b"none"):
        return True
    origin = headers.get(b"origin")
    return origin is not None and urlsplit(origin.decode("latin-1")).netloc != headers.get(
        b"host", b""
    ).decode("latin-1")


def _rewrite_json_address(scope: Scope) -> None:
    """Serve an address that ends in ``.json`` as the JSON of the page."""
    path: str = scope["path"]
    if not path.endswith(_SUFFIX) or path == "/openapi.json" or path.startswith("/static/"):
        return
    headers = [(name, value) for name, value in scope["headers"] if name != b"accept"]
    scope["path"] = path.removesuffix(_SUFFIX)
    scope["raw_path"] = scope["path"].encode()
    scope["headers"] = [*headers, (b"accept", b"application/json")]
