"""A site's side of network links: a second connection to the hub, and a worker for each link."""

import asyncio
import random
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

import structlog
from nats import errors
from nats.aio.client import Client
from nats.aio.msg import Msg

from feltwork.background_tasks import BackgroundTasks, is_cancelled
from feltwork.bookkeeper.link_worker import WorkerContext
from feltwork.operations.connection import REJECTED, UNAVAILABLE, Connection
from feltwork.operations.network.site_link import SiteLink, shown_now, site_links
from feltwork.problem import ProblemsError
from feltwork.progressive.network.messages import Down, HubSnapshot, Up
from feltwork.wire.connection import connect_to, disconnect
from feltwork.wire.network import ALL_METERS, decode_down, downs_of, encode, subject_of

#: Interval between steps of a link, and between checks for new links.
_STEP_SECONDS = 0.1
_LINKS_SECONDS = 5.0
_PAUSE_SECONDS = 0.5
#: Range of the random delay between attempts to reach the hub, so its sites do not all reconnect together.
_RECONNECT_SECONDS = (0.5, 1.5)
#: Timeout of each part of an attempt: a handshake may have to wait for those of all other sites.
_HANDSHAKE_SECONDS = 5
#: Limit on queued answers; dropped ones are requested again.
_MOST_WAITING = 1_000
#: Interval at which unchanged meters are sent again to signs and tables.
_QUIET_SECONDS = 4.0
_log = structlog.get_logger("feltwork.bookkeeper")
#: The connection options of a site, by its name in the network.
HubOptions = Callable[[str], Mapping[str, Any]]


class SiteLinks:
    """The network links that these books have joined."""

    def __init__(self, desk: WorkerContext, url: str, options: HubOptions) -> None:
        self._desk = desk
        self._url = url
        self._options = options
        self._workers: dict[str, SiteWorker] = {}
        self._lines: dict[str, HubLine] = {}

    async def run(self, tasks: BackgroundTasks) -> None:
        """Start a worker for every link, and a connection for every name that the site has in a network."""
        loop = asyncio.get_running_loop()
        while not is_cancelled():
            with suppress(*UNAVAILABLE):
                links = await loop.run_in_executor(self._desk.threads, self._read)
                for link, name in links.items():
                    if link not in self._workers:
                        self._begin(link, name, tasks)
            await asyncio.sleep(_LINKS_SECONDS)

    def _read(self) -> dict[str, str]:
        with self._desk.pool.connection() as connection:
            return site_links(connection)

    def _begin(self, link: str, name: str, tasks: BackgroundTasks) -> None:
        line = self._lines.get(name)
        if line is None:
            line = self._lines[name] = HubLine(name, self._url, self._options(name), self._workers)
            tasks.start(f"hub line {name}", line.run)
        worker = self._workers[link] = SiteWorker(self._desk, link, line)
        tasks.start(f"network link {link}", worker.run)
        _log.info("a network link", link=link, site=name)


class HubListener(Protocol):
    """A receiver of the hub's messages about one link."""

    def hear(self, message: Down) -> None:
        """Queue a message for the next step."""


class HubLine:
    """The connection to the hub's NATS server; nothing is stored there."""

    def __init__(
        self, name: str, url: str, options: Mapping[str, Any], workers: Mapping[str, "HubListener"]
    ) -> None:
        self._name = name
        self._url = url
        self._options = options
        self._workers = workers
        self._client: Client | None = None

    async def run(self) -> None:
        """Connect, and receive the hub's messages until cancelled."""
        client = await connect_to(
            self._url,
            reconnect_time_wait=random.uniform(*_RECONNECT_SECONDS),
            connect_timeout=_HANDSHAKE_SECONDS,
            ping_interval=2,
            max_outstanding_pings=2,
            error_cb=_note,
            **self._options,
        )
        try:
            for subject in (downs_of(self._name), ALL_METERS):
                await client.subscribe(subject, cb=self._hear)
            self._client = client
            await asyncio.Event().wait()
        finally:
            self._client = None
            await disconnect(client)

    async def say(self, messages: Iterable[Up]) -> None:
        """Send messages; those that do not arrive are sent again."""
        for message in messages:
            if self._client is not None and self._client.is_connected:
                with suppress(errors.Error):
                    await self._client.publish(subject_of(message), encode(message))

    async def _hear(self, raw: Msg) -> None:
        try:
            message = decode_down(raw.subject, raw.data)
        except ProblemsError as error:
            _log.warning("a message is not readable", subject=raw.subject, what=error.problems[0].what)
            return
        if worker := self._workers.get(message.link):
            worker.hear(message)


class SiteWorker:
    """Runs the steps of one link in sequence."""

    def __init__(self, desk: WorkerContext, link: str, line: HubLine) -> None:
        self._desk = desk
        self._link = SiteLink(link)
        self._line = line
        self._waiting: list[Down] = []
        #: The newest snapshot; earlier ones do not matter.
        self._snapshot: HubSnapshot | None = None
        self._shown: tuple[object, ...] = ()
        self._shown_at = 0.0

    def hear(self, message: Down) -> None:
        """Queue a message for the next step."""
        if isinstance(message, HubSnapshot):
            self._snapshot = message
        elif len(self._waiting) < _MOST_WAITING:
            self._waiting.append(message)

    async def run(self) -> None:
        """Answer and tick until cancelled; reread the books after an error."""
        while not is_cancelled():
            try:
                await self._step()
            except UNAVAILABLE as error:
                _log.warning("the books do not answer", link=self._link.link, error=str(error))
                await asyncio.sleep(_PAUSE_SECONDS)
            await asyncio.sleep(_STEP_SECONDS)

    async def _step(self) -> None:
        messages, self._waiting = self._waiting, []
        if self._snapshot is not None:
            messages.append(self._snapshot)
            self._snapshot = None
        for message in messages:
            await self._line.say(await self._in_books(partial(self._link.receive, message=message)))
        if not messages:
            await self._line.say(await self._in_books(self._link.tick))
        await self._show()

    async def _in_books(self, act: Callable[[Connection], tuple[Up, ...]]) -> tuple[Up, ...]:
        def run() -> tuple[Up, ...]:
            with self._desk.pool.connection() as connection:
                return act(connection)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._desk.threads, run)
        except (ProblemsError, *REJECTED) as error:
            _log.error("a step was refused", link=self._link.link, error=str(error))
            return ()

    async def _show(self) -> None:
        """Publish the hub's meters to tables and signs, and whether they may take wagers."""

        def read() -> Any:
            with self._desk.pool.connection() as connection:
                return shown_now(connection, self._link.link)

        loop = asyncio.get_running_loop()
        snapshot, reasons = await loop.run_in_executor(self._desk.threads, read)
        state = snapshot.state
        view = (snapshot.tail.number, state.takes_wagers, state.hub.meters if state.hub else {})
        if view != self._shown or loop.time() - self._shown_at >= _QUIET_SECONDS:
            self._shown, self._shown_at = view, loop.time()
            self._desk.publish.offer(state, snapshot.tail, reasons, of_hub=True)


async def _note(error: Exception) -> None:
    _log.warning("the hub", error=str(error) or type(error).__name__)
