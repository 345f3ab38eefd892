"""Security headers, the same-origin check, the reader's language, and addresses that end in ``.json``."""

from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from feltwork.web.problem_responses import ProblemBody, answer_problem
from feltwork.web.rendering.catalog import gettext as _
from feltwork.web.rendering.catalog import select_language

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
_READS = ("GET", "HEAD", "OPTIONS")
_SUFFIX = ".json"


class SecurityMiddleware:
    """ASGI middleware for every request."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on unless a page of another origin sent it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS]
            await send(message)

        headers = dict(scope["headers"])
        site_language = scope["app"].state.settings.language
        select_language(site_language or headers.get(b"accept-language", b"").decode("latin-1"))
        if scope["method"] not in _READS and _is_foreign(headers):
            problem = ProblemBody(
                rule="same-origin",
                requirement="GL-10",
                what=_("Another website sent this request."),
                remedy=_("Use the screens of this service."),
            )
            await answer_problem(403, problem)(scope, receive, send_with_headers)
            return
        _rewrite_json_address(scope)
        await self._app(scope, receive, send_with_headers)


def _is_foreign(headers: dict[bytes, bytes]) -> bool:
    """Whether a browser sent the request from another origin; devices send no such header and no cookie."""
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
