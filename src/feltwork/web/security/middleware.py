"""The guard: what answers tell browsers, where orders may come from, and addresses that end in .json."""

from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from feltwork.web.problem_responses import ProblemBody, answer_problem

#: Nothing is loaded from elsewhere, and nothing that stands in a page is run as a script or a style.
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
_TWIN = ".json"


class SecurityMiddleware:
    """Stands around an application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, unless a page of somebody else has sent it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS]
            await send(message)

        headers = dict(scope["headers"])
        if scope["method"] not in _READS and _is_foreign(headers):
            problem = ProblemBody(
                rule="same-origin",
                requirement="GL-10",
                what="a page of another address has sent this",
                remedy="use the screens of this service",
            )
            await answer_problem(403, problem)(scope, receive, told)
            return
        _ask_for_twin(scope)
        await self._app(scope, receive, told)


def _is_foreign(headers: dict[bytes, bytes]) -> bool:
    """Browsers say which page sends an order; devices say nothing, and have no cookie to misuse."""
    if headers.get(b"sec-fetch-site", b"none") not in (b"same-origin", b"none"):
        return True
    origin = headers.get(b"origin")
    return origin is not None and urlsplit(origin.decode("latin-1")).netloc != headers.get(
        b"host", b""
    ).decode("latin-1")


def _ask_for_twin(scope: Scope) -> None:
    """An address that ends in .json is the page before it, asked for as JSON."""
    path: str = scope["path"]
    if not path.endswith(_TWIN) or path == "/openapi.json" or path.startswith("/static/"):
        return
    headers = [(name, value) for name, value in scope["headers"] if name != b"accept"]
    scope["path"] = path.removesuffix(_TWIN)
    scope["raw_path"] = scope["path"].encode()
    scope["headers"] = [*headers, (b"accept", b"application/json")]
