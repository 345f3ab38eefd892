"""Live meters: one reader of the books tells every sign and screen, and no command waits for it.

Screens hear how a link stands, signs only what hangs on the wall.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any, Literal, TypeAlias

import structlog
from fastapi.concurrency import run_in_threadpool
from psycopg import Error
from psycopg_pool import ConnectionPool, PoolTimeout

from feltwork.books.connection import Connection
from feltwork.books.standing import look_at_meters
from feltwork.web import shown, told
from feltwork.web.observed import Observed

_log = structlog.get_logger("feltwork.web")
#: A sign says that its data is old after ten seconds: it hears something twice in that time.
_QUIET_SECONDS = 4.0
#: To whom a link is told, and which.
Channel: TypeAlias = tuple[Literal["screen", "sign"], str]


class Live:
    """The listeners of each link, and the one reader that they share."""

    def __init__(self, pool: ConnectionPool[Any], observed: Observed, *, every_seconds: float) -> None:
        self._pool = pool
        self._observed = observed
        self._every_seconds = every_seconds
        self._listeners: dict[Channel, set[asyncio.Queue[str]]] = {}
        self._last: dict[Channel, tuple[int, float]] = {}

    async def run(self) -> None:
        """Read and tell until cancelled."""
        clock = asyncio.get_running_loop().time
        while True:
            await asyncio.sleep(self._every_seconds)
            if not self._listeners:
                continue
            try:
                found = await run_in_threadpool(self._read, tuple(self._listeners))
            except (Error, PoolTimeout) as error:
                _log.warning("the live reader cannot reach the books", error=str(error))
                continue
            for channel, told_now in found.items():
                number, since = self._last.get(channel, (-1, 0.0))
                if told_now["entry"] != number or clock() - since > _QUIET_SECONDS:
                    self._last[channel] = (told_now["entry"], clock())
                    self._tell(channel, told_now)

    async def listen(self, link: str, *, to: Literal["screen", "sign"] = "screen") -> AsyncIterator[str]:
        """Server-sent events of a link: the newest only, for whoever reads slowly."""
        channel = (to, link)
        queue: asyncio.Queue[str] = asyncio.Queue(maxsize=1)
        self._listeners.setdefault(channel, set()).add(queue)
        self._last.pop(channel, None)
        self._observed.listeners.inc()
        try:
            yield "retry: 1000\n\n"
            while True:
                yield await queue.get()
        finally:
            self._observed.listeners.dec()
            self._listeners[channel].discard(queue)
            if not self._listeners[channel]:
                del self._listeners[channel]

    def _read(self, channels: tuple[Channel, ...]) -> dict[Channel, dict[str, Any]]:
        with self._pool.connection() as connection:
            return {channel: _told(connection, channel) for channel in channels}

    def _tell(self, channel: Channel, what: dict[str, Any]) -> None:
        event = f"id: {what['entry']}\nevent: meters\ndata: {json.dumps(what)}\n\n"
        for queue in self._listeners.get(channel, ()):
            with suppress(asyncio.QueueEmpty):
                queue.get_nowait()
            queue.put_nowait(event)


def _told(connection: Connection, channel: Channel) -> dict[str, Any]:
    to, link = channel
    return shown.on_sign(connection, link) if to == "sign" else told.link(look_at_meters(connection, link))
