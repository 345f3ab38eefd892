"""The hub process: books the sums of sites in windows, answers claims, and publishes the meters.

An aggregator is the same process with a second connection, to the hub above.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, Protocol

import structlog
from nats import errors
from nats.aio.client import Client
from nats.aio.msg import Msg

from feltwork.bookkeeper.site import HubLine, HubOptions
from feltwork.operations.connection import REJECTED, UNAVAILABLE, Connection, connect
from feltwork.operations.network.aggregator import AggregatorLink, aggregator_links
from feltwork.operations.network.hub import HubLink, hub_links
from feltwork.problem import ProblemsError
from feltwork.progressive.network.hub import HubTiming
from feltwork.progressive.network.messages import Down, SiteSum, Up
from feltwork.wire.connection import connect_to, disconnect
from feltwork.wire.network import ALL_UP, decode_up, encode, subject_of

#: Interval between steps of a link, and the minimum pause between them. Two steps take slightly longer than
#: the usual window, so the second one books.
_STEP_SECONDS = 0.052
_LEAST_PAUSE_SECONDS = 0.01
#: Interval between checks for new links.
_LINKS_SECONDS = 5.0
_PAUSE_SECONDS = 0.5
_CONNECT_SECONDS = 3
#: After a restart of NATS all sites connect at the same time: the hub retries often, and does not abandon a
#: handshake that has to wait for theirs.
_RECONNECT_SECONDS = 0.25
_HANDSHAKE_SECONDS = 15
#: Limit on queued messages of a link; sites resend dropped ones.
_MOST_WAITING = 10_000
#: Maximum number of messages answered in one step.
_TOGETHER = 200
#: Limit on messages queued in the NATS client.
_PENDING = 200_000
_log = structlog.get_logger("feltwork.hub")


@dataclass(frozen=True, slots=True, kw_only=True)
class HubSettings:
    """Settings of a hub."""

    dsn: str
    #: The hub's NATS server, and connection options.
    url: str = "nats://127.0.0.1:4222"
    options: Mapping[str, Any] = field(default_factory=dict)
    timing: HubTiming = field(default_factory=lambda: HubTiming(window=100_000))
    #: At an aggregator: the NATS server of the hub above, and connection options by its name there.
    above_url: str = ""
    above_options: HubOptions = lambda _name: {}


class _Link(Protocol):
    """A link of a hub, or of an aggregator, which also speaks to the hub above."""

    link: str

    def hear(self, new: SiteSum) -> None:
        """Queue a sum for the next tick."""

    def receive(self, connection: Connection, *messages: Any) -> tuple[Up | Down, ...]:
        """Book the effects of messages, and return the messages to send."""

    def tick(self, connection: Connection) -> tuple[Up | Down, ...]:
        """Do the work that is due, and return the messages to send."""


class Hub:
    """One hub for all network links in the books."""

    def __init__(self, settings: HubSettings) -> None:
        self._settings = settings
        self._workers: dict[str, _LinkWorker] = {}
        #: Connections to the hub above, by the aggregator's name there.
        self._lines: dict[str, HubLine] = {}
        self._tasks: list[asyncio.Task[None]] = []
        #: Links that wait for the address of the hub above.
        self._unserved: set[str] = set()

    async def run(self, stop: asyncio.Event) -> None:
        """Serve sites until stopped; wait out restarts of PostgreSQL or NATS, after which sites resend."""
        client = await connect_to(
            self._settings.url,
            reconnect_time_wait=_RECONNECT_SECONDS,
            connect_timeout=_HANDSHAKE_SECONDS,
            error_cb=_note,
            **self._settings.options,
        )
        try:
            await client.subscribe(ALL_UP, cb=self._hear, pending_msgs_limit=_PENDING, pending_bytes_limit=-1)
            async with asyncio.TaskGroup() as tasks:
                self._tasks.append(tasks.create_task(self._find_links(tasks, client)))
                await stop.wait()
                for task in self._tasks:
                    task.cancel()
        finally:
            await disconnect(client)

    async def _find_links(self, tasks: asyncio.TaskGroup, client: Client) -> None:
        while True:
            with suppress(*UNAVAILABLE):
                for link, name in (await asyncio.to_thread(self._links)).items():
                    if link not in self._workers:
                        self._begin(tasks, client, link, name)
            await asyncio.sleep(_LINKS_SECONDS)

    def _links(self) -> dict[str, str]:
        """The links, each with its aggregator's name; empty at the hub itself."""
        with connect(self._settings.dsn, timeout=_CONNECT_SECONDS) as connection:
            return {**dict.fromkeys(hub_links(connection), ""), **aggregator_links(connection)}

    def _begin(self, tasks: asyncio.TaskGroup, client: Client, link: str, name: str) -> None:
        settings, line = self._settings, None
        if name and not settings.above_url:
            if link not in self._unserved:
                _log.error("a link of an aggregator needs the hub above: --hub", link=link, aggregator=name)
            self._unserved.add(link)
            return
        if name:
            line = self._lines.get(name)
            if line is None:
                options = settings.above_options(name)
                line = self._lines[name] = HubLine(name, settings.above_url, options, self._workers)
                self._tasks.append(tasks.create_task(line.run()))
        network_link: _Link = (
            AggregatorLink(link, settings.timing) if name else HubLink(link, settings.timing)
        )
        worker = self._workers[link] = _LinkWorker(settings, network_link, client, line)
        self._tasks.append(tasks.create_task(worker.run()))
        _log.info("serving a network link", link=link, aggregator=name)

    async def _hear(self, raw: Msg) -> None:
        try:
            message = decode_up(raw.subject, raw.data)
        except ProblemsError as error:
            _log.warning("a message is not readable", subject=raw.subject, what=error.problems[0].what)
            return
        if worker := self._workers.get(message.link):
            worker.hear(message)


class _LinkWorker:
    """Runs the steps of one link in sequence."""

    def __init__(self, settings: HubSettings, link: _Link, client: Client, line: HubLine | None) -> None:
        self._settings = settings
        self._link = link
        self._client = client
        self._line = line
        #: Queued messages by kind, site and award or number; of repeated messages, only the newest matters.
        self._waiting: dict[tuple[object, ...], Up | Down] = {}
        self._connection: Connection | None = None
        #: The current step in the books, in a thread that cancellation does not reach.
        self._step_taken: asyncio.Task[tuple[Up | Down, ...]] | None = None

    def hear(self, message: Up | Down) -> None:
        """Queue a message for the next step."""
        if isinstance(message, SiteSum):
            self._link.hear(message)
        elif len(self._waiting) < _MOST_WAITING:
            about = getattr(message, "award", None) or getattr(message, "number", None)
            self._waiting[type(message), message.site, about] = message

    async def run(self) -> None:
        """Answer and tick until cancelled; reread the books after an error."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                next_step = loop.time() + _STEP_SECONDS
                try:
                    await self._step()
                except UNAVAILABLE as error:
                    what = str(error).splitlines()[:1]
                    _log.warning("the books do not answer", link=self._link.link, error=what)
                    await asyncio.to_thread(self._close)
                    await asyncio.sleep(_PAUSE_SECONDS)
                await asyncio.sleep(max(next_step - loop.time(), _LEAST_PAUSE_SECONDS))
        finally:
            if self._step_taken is not None:
                with suppress(Exception):
                    await self._step_taken
            self._close()

    async def _step(self) -> None:
        now = [self._waiting.pop(key) for key in list(islice(self._waiting, _TOGETHER))]
        if now and not await self._in_books(partial(_receive, self._link, now)) and len(now) > 1:
            for message in now:  # one of them cannot be booked; book the others
                await self._in_books(partial(_receive, self._link, [message]))
        await self._in_books(self._link.tick)

    async def _in_books(self, act: Callable[[Connection], tuple[Up | Down, ...]]) -> bool:
        """Run a step in the books and send the resulting messages; return False if the books refuse it."""

        def run() -> tuple[Up | Down, ...]:
            if self._connection is None:
                self._connection = connect(self._settings.dsn, timeout=_CONNECT_SECONDS)
            return act(self._connection)

        try:
            self._step_taken = asyncio.create_task(asyncio.to_thread(run))
            await self._publish(await asyncio.shield(self._step_taken))
        except (ProblemsError, *REJECTED) as error:
            _log.error("a step was refused", link=self._link.link, error=str(error))
            return False
        return True

    async def _publish(self, messages: Iterable[Up | Down]) -> None:
        for message in messages:
            if isinstance(message, Up):
                if self._line is not None:
                    await self._line.say((message,))
                continue
            with suppress(errors.Error):
                await self._client.publish(subject_of(message), encode(message))

    def _close(self) -> None:
        if self._connection is not None:
            with suppress(Exception):
                self._connection.close()
            self._connection = None


def _receive(link: _Link, messages: Iterable[Up | Down], connection: Connection) -> tuple[Up | Down, ...]:
    return link.receive(connection, *messages)


async def _note(error: Exception) -> None:
    _log.warning("NATS", error=str(error) or type(error).__name__)
