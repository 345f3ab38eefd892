"""Live meters: one background reader publishes link state to screens and sign data to signs.

A channel that can't be read closes alone: its browsers reconnect, an alarm is raised, and the reader retries
with back-off.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, TypeAlias

import msgspec
import structlog
from fastapi.concurrency import run_in_threadpool

from feltwork.background_tasks import FIRST_PAUSE_SECONDS, describe
from feltwork.problem import plain_text
from feltwork.site.books.connection import UNAVAILABLE, Connection, Pool
from feltwork.site.books.links.links import link_view
from feltwork.site.books.links.signs import sign
from feltwork.site.books.watch.alarms import AlarmWriter
from feltwork.telemetry.request_log import RequestMetrics
from feltwork.telemetry.tracing import span

_log = structlog.get_logger("feltwork.site.web")
#: The alarm kind of a channel that can't be read.
ALARM = "live reader"
#: Heartbeat interval; a sign shows a stale notice after ten seconds without an event.
_QUIET_SECONDS = 4.0
#: Back-off cap of a failed channel.
_LONGEST_PAUSE_SECONDS = 8.0
_MOST_TRACES = 100
#: The audience and the link.
Channel: TypeAlias = tuple[Literal["screen", "sign"], str]


@dataclass(frozen=True, slots=True)
class _Event:
    """A server-sent event as of a journal entry."""

    entry: int
    text: str


@dataclass(frozen=True, slots=True)
class _Retry:
    """The next retry of a failed channel, and its current pause."""

    at: float
    pause: float


@dataclass(frozen=True, slots=True)
class _Trace:
    """A trace that has reached an entry, and the time it was received."""

    entry: int
    header: str
    began: int


class LiveUpdates:
    """The listeners of each channel and their shared reader."""

    def __init__(
        self, pool: Pool, observed: RequestMetrics, alarms: AlarmWriter, *, every_seconds: float
    ) -> None:
        self._pool = pool
        self._observed = observed
        self._alarms = alarms
        self._every_seconds = every_seconds
        #: None ends a listener's stream.
        self._listeners: dict[Channel, set[asyncio.Queue[str | None]]] = {}
        self._last: dict[Channel, tuple[int, float]] = {}
        self._failed: dict[Channel, _Retry] = {}
        #: Channels whose alarm is cleared; a previous process may have left one open.
        self._sound: set[Channel] = set()
        self._closed = False
        #: Link -> the traces of entries that no sign has shown yet.
        self._traces: dict[str, list[_Trace]] = {}

    @property
    def failed(self) -> list[str]:
        """The names of the failed channels."""
        return sorted(map(_name, tuple(self._failed)))

    async def run(self) -> None:
        """Read and publish until cancelled."""
        clock = asyncio.get_running_loop().time
        while True:
            await asyncio.sleep(self._every_seconds)
            now = clock()
            channels = {
                *(channel for channel in self._listeners if channel not in self._failed),
                *(channel for channel, retry in self._failed.items() if retry.at <= now),
            }
            if not channels:
                continue
            try:
                events = await run_in_threadpool(self._read, channels)
            except UNAVAILABLE as error:
                _log.warning("live reader: books unavailable", error=str(error))
                continue
            for channel, event in events.items():
                if isinstance(event, Exception):
                    self._fail(channel, event, clock())
                else:
                    self._publish(channel, event, clock())

    async def listen(self, link: str, *, to: Literal["screen", "sign"] = "screen") -> AsyncIterator[str]:
        """Server-sent events of a link; a slow reader gets only the latest."""
        channel = (to, link)
        queue: asyncio.Queue[str | None] = asyncio.Queue(maxsize=1)
        self._listeners.setdefault(channel, set()).add(queue)
        self._last.pop(channel, None)
        self._observed.listeners.inc()
        try:
            yield "retry: 1000\n\n"
            while not self._closed and (event := await queue.get()) is not None:
                yield event
        finally:
            self._observed.listeners.dec()
            self._listeners[channel].discard(queue)
            if not self._listeners[channel]:
                del self._listeners[channel]

    def follow(self, link: str, entry: int, trace: str) -> None:
        """Follow a trace that has reached an entry until the link's signs show the entry."""
        self._traces.setdefault(link, []).append(_Trace(entry, trace, time.time_ns()))
        self._end_trace(link, self._last.get(("sign", link), (-1, 0.0))[0])

    def _end_trace(self, link: str, last_entry: int) -> None:
        traces = self._traces.pop(link, [])
        for trace in traces:
            if trace.entry <= last_entry:
                with span("sign", [trace.header], began=trace.began, entry=last_entry):
                    pass
            elif len(traces) < _MOST_TRACES:  # bounded, for a link without a sign
                self._traces.setdefault(link, []).append(trace)

    def close(self) -> None:
        """End every stream because the service is stopping."""
        self._closed = True
        for channel in self._listeners:
            self._send(channel, None)

    def _read(self, channels: Iterable[Channel]) -> dict[Channel, _Event | Exception]:
        with self._pool.connection() as connection:
            return {channel: _read_channel(connection, channel) for channel in channels}

    def _publish(self, channel: Channel, event: _Event, now: float) -> None:
        self._failed.pop(channel, None)
        if channel not in self._sound:
            self._sound.add(channel)
            self._alarms.report(ALARM, _name(channel), None)
        number, since = self._last.get(channel, (-1, 0.0))
        if event.entry != number or now - since > _QUIET_SECONDS:
            self._last[channel] = (event.entry, now)
            self._send(channel, event.text)
            if self._traces and channel[0] == "sign":
                self._end_trace(channel[1], event.entry)

    def _fail(self, channel: Channel, error: Exception, now: float) -> None:
        _log.error("live channel failed", channel=_name(channel), exc_info=error)
        previous = self._failed.get(channel)
        pause = min(2 * previous.pause, _LONGEST_PAUSE_SECONDS) if previous else FIRST_PAUSE_SECONDS
        self._failed[channel] = _Retry(now + pause, pause)
        self._sound.discard(channel)
        self._alarms.report(ALARM, _name(channel), describe(error))
        self._send(channel, None)

    def _send(self, channel: Channel, event: str | None) -> None:
        for queue in self._listeners.get(channel, ()):
            with suppress(asyncio.QueueEmpty):
                queue.get_nowait()
            queue.put_nowait(event)


def _name(channel: Channel) -> str:
    to, link = channel
    return f"{to}s of link {link}"


def _read_channel(connection: Connection, channel: Channel) -> _Event | Exception:
    to, link = channel
    try:
        view = sign(connection, link) if to == "sign" else link_view(connection, link)
        data = msgspec.json.encode(view, enc_hook=plain_text).decode()
        return _Event(view.entry, f"id: {view.entry}\nevent: meters\ndata: {data}\n\n")
    except UNAVAILABLE:
        raise
    except Exception as error:  # one failed channel must not stop the others
        return error
