"""Limits on request bodies, open streams, and connections to the books."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Request
from fastapi.responses import StreamingResponse
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from feltwork.site.web.rendering.catalog import gettext as _

#: Maximum body size, twice that of the largest floor file, and the timeout for its arrival.
BODY_BYTES = 2_000_000
_BODY_SECONDS = 20.0
#: Maximum shares of the connections for requests without a session, and for reports.
_PUBLIC_SHARE, _REPORT_SHARE = 0.25, 0.3


class LimitError(HTTPException):
    """A request beyond a limit, and what to do about it."""

    def __init__(self, status: int, what: str, remedy: str) -> None:
        super().__init__(status, what)
        self.remedy = remedy


class BodyLimit:
    """ASGI middleware that refuses a body that is too long or too slow."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and limit its body."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        read, until, is_whole = 0, asyncio.get_running_loop().time() + _BODY_SECONDS, False

        async def receive_part() -> Message:
            nonlocal read, is_whole
            if is_whole:  # what follows is the end of the connection
                return await receive()
            if announced.isdigit() and int(announced) > BODY_BYTES:
                raise _too_long()
            try:
                async with asyncio.timeout_at(until):
                    message = await receive()
            except TimeoutError:
                what = _("The request took too long to arrive.")
                raise LimitError(408, what, _("Check the network, and send it again.")) from None
            read += len(message.get("body", b""))
            is_whole = not message.get("more_body", False)
            if read > BODY_BYTES:
                raise _too_long()
            return message

        await self._app(scope, receive_part, send)


class StreamLimit:
    """The open streams of each address."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    async def hold(self, address: str, events: AsyncIterator[str]) -> AsyncIterator[str]:
        """The events of a stream, which counts until it ends."""
        self._open[address] += 1
        try:
            async for event in events:
                yield event
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    def verify(self, address: str) -> None:
        """Raise if an address has reached its limit."""
        if self._open[address] >= self._most:
            what = _("This address already has %(number)s live displays open, the maximum.")
            remedy = _("Close displays that nobody watches, or raise FELTWORK_STREAMS_PER_ADDRESS.")
            raise LimitError(429, what % {"number": self._most}, remedy)


class BooksLimit:
    """Connections to the books: visitors and reports leave enough for people and tables."""

    def __init__(self, connections: int) -> None:
        # One connection stays free for the live reader and the health check.
        self._all = asyncio.Semaphore(connections - 1)
        self._public = asyncio.Semaphore(max(1, round(_PUBLIC_SHARE * connections)))
        self._reports = asyncio.Semaphore(max(1, round(_REPORT_SHARE * connections)))

    @asynccontextmanager
    async def hold(self, request: Request, *, is_public: bool) -> AsyncIterator[None]:
        """Wait for a connection."""
        tags = getattr(request.scope.get("route"), "tags", ())
        kind = self._public if is_public else self._reports if "reports" in tags else None
        if kind is None:
            async with self._all:
                yield
            return
        async with kind, self._all:
            yield


class ComputationLimit:
    """Computations that anyone may ask for: one at a time, and few may wait."""

    def __init__(self, most_waiting: int = 16) -> None:
        self._one = asyncio.Semaphore(1)
        self._most, self._waiting = most_waiting, 0

    @asynccontextmanager
    async def hold(self) -> AsyncIterator[None]:
        """Wait for the turn."""
        if self._waiting >= self._most:
            what = _("The workbench is computing for many people at once.")
            raise LimitError(503, what, _("Try again in a minute."))
        self._waiting += 1
        try:
            await self._one.acquire()
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._one.release()


async def computing(request: Request) -> AsyncIterator[None]:
    """The turn of a request that computes."""
    async with request.app.state.computations.hold():
        yield


def stream(request: Request, events: AsyncIterator[str]) -> StreamingResponse:
    """Server-sent events, unless the address has too many streams."""
    limit, address = request.app.state.streams, address_of(request)
    limit.verify(address)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(limit.hold(address, events), media_type="text/event-stream", headers=headers)


def address_of(request: Request) -> str:
    """The address of a client; a trusted proxy names it in X-Forwarded-For."""
    return request.client.host if request.client else ""


def _too_long() -> LimitError:
    return LimitError(413, _("The request is too large."), _("Send it in several smaller requests."))
