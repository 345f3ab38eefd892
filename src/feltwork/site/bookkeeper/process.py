"""The bookkeeper process: startup checks, connections, a worker per link, shutdown."""

import asyncio
from collections.abc import Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, TypeVar

import structlog
from nats import errors
from nats.aio.client import Client
from prometheus_client import start_http_server

from feltwork import __version__
from feltwork.background_tasks import BackgroundTasks
from feltwork.problem import ProblemsError
from feltwork.site.bookkeeper.connection_guard import ConnectionGuard
from feltwork.site.bookkeeper.controller_handshake import ControllerHandshake
from feltwork.site.bookkeeper.downlink_publisher import DownlinkPublisher
from feltwork.site.bookkeeper.link_worker import LinkWorker, WorkerContext
from feltwork.site.bookkeeper.stream_monitor import StreamMonitor
from feltwork.site.books.authorize import release_waits
from feltwork.site.books.connection import UNAVAILABLE, Pool
from feltwork.site.books.context import Policy
from feltwork.site.books.links.link_check import check_link, record_start
from feltwork.site.books.links.versions import chain_ends
from feltwork.site.books.schema import make_partitions
from feltwork.site.books.watch.alarms import AlarmWriter
from feltwork.site.servers.components import (
    approved_controllers,
    components,
    unapproved_release,
    verify_components,
)
from feltwork.site.wire.connection import connect_to, disconnect
from feltwork.site.wire.streams import LOG_BYTES, ensure_streams
from feltwork.telemetry.bookkeeper_metrics import BookkeeperMetrics

_MOST_CONNECTIONS = 24
_THREADS = 64
_PAUSE_SECONDS = 1.0
#: Interval between checks for new links.
_LINKS_SECONDS = 5.0
DAY_SECONDS = 86_400.0
#: Interval between checks of the date.
_PARTITIONS_SECONDS = 5.0
#: The kind of the alarm about a task that failed and is restarted.
ALARM = "bookkeeper task"
_T = TypeVar("_T")
_log = structlog.get_logger("feltwork.site.bookkeeper")


@dataclass(frozen=True, slots=True, kw_only=True)
class BookkeeperSettings:
    """Settings of a bookkeeper."""

    dsn: str
    #: The NATS server, and connection options.
    url: str = "nats://127.0.0.1:4222"
    options: Mapping[str, Any] = field(default_factory=dict)
    #: Options of the connection that manages streams.
    streams_options: Mapping[str, Any] = field(default_factory=dict)
    #: Connection options of the guard; none without keys.
    guard_options: Mapping[str, Any] | None = None
    name: str = "bookkeeper"
    #: JetStream domains of pits and tables with their own server, and the tables whose rounds they may hold.
    domains: Mapping[str, frozenset[str]] = field(default_factory=dict)
    replicas: int = 1
    #: The size of the stream; tables stop when it is full [GEN-07].
    log_bytes: int = LOG_BYTES
    #: Interval between self-checks of a link.
    check_seconds: float = DAY_SECONDS
    #: The key that PINs are hashed with.
    pin_key: bytes = field(default=b"", repr=False)
    #: The list of approved components.
    approved: Path | None = None
    #: The Prometheus port, or 0.
    metrics_port: int = 0
    metrics_host: str = "127.0.0.1"


class Bookkeeper:
    """One bookkeeper; any number may run."""

    def __init__(self, settings: BookkeeperSettings) -> None:
        self.settings = settings
        self.observed = BookkeeperMetrics()
        #: The site's own domain and the others.
        self._domains = ("", *settings.domains)
        self._keepers: dict[tuple[str, str], tuple[LinkWorker, asyncio.Task[None]]] = {}
        self._closed: set[str] = set()
        self._back = asyncio.Event()
        #: Whether the components were recorded in the books [WA-31].
        self._recorded = False

    async def run(self, stop: asyncio.Event) -> None:
        """Book until stopped, once two people approved a component that is not on the list [WA-31]."""
        if self.settings.metrics_port:
            start_http_server(
                self.settings.metrics_port, self.settings.metrics_host, registry=self.observed.registry
            )
        try:
            for problem in verify_components(self.settings.approved):
                _log.warning(str(problem))
        except ProblemsError as error:
            for problem in error.problems:
                _log.error(str(problem))
            release = unapproved_release(self.settings.approved)
            while not stop.is_set() and (
                why := await asyncio.to_thread(release_waits, self.settings.dsn, release)
            ):
                _log.error("nothing is booked", why=why)
                await _unless(stop, asyncio.sleep(_LINKS_SECONDS))
        client = await _unless(stop, self._connect(self.settings.options))
        if client is None:
            return
        streams = await _unless(stop, self._connect(self.settings.streams_options))
        if streams is None:
            await disconnect(client)
            return
        self.observed.nats_connected.set_function(lambda: client.is_connected)
        threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="books")
        pool = Pool(self.settings.dsn, _MOST_CONNECTIONS)
        try:
            pool.open()
            await self._keep(client, streams, pool, threads, stop)
        finally:
            with suppress(errors.Error, OSError):
                await client.flush(1)
            await disconnect(client)
            await disconnect(streams)
            threads.shutdown(wait=True, cancel_futures=True)
            pool.close(2)

    async def _keep(
        self, client: Client, streams: Client, pool: Pool, threads: ThreadPoolExecutor, stop: asyncio.Event
    ) -> None:
        await _unless(stop, self._make_streams(streams))
        publish = DownlinkPublisher(client, pool, threads)
        name = self.settings.name
        desk = WorkerContext(
            name=name,
            client=client,
            streams=streams,
            pool=pool,
            threads=threads,
            observed=self.observed,
            publish=publish,
            log_bytes=self.settings.log_bytes,
        )
        alarms = AlarmWriter(pool, by=name)
        approved, policy = approved_controllers(self.settings.approved), Policy(pin_key=self.settings.pin_key)
        keyed = self.settings.guard_options is not None
        welcomes = ControllerHandshake(desk, approved, policy, alarms.report, keyed=keyed)
        await welcomes.start()
        watch = StreamMonitor(name, pool, threads, self.observed, alarms.report)
        logs = {
            f"log of {domain}" if domain else "log": streams.jetstream(domain=domain or None)
            for domain in self._domains
        }
        async with BackgroundTasks(lambda task, what: alarms.report(ALARM, f"{name}, {task}", what)) as tasks:
            tasks.start("alarm writer", alarms.run)
            tasks.start("publisher", publish.run)
            tasks.start("watch", lambda: watch.run(logs))
            tasks.start("partitions", lambda: _make_partitions(pool, threads))
            tasks.start("reconnection", lambda: self._come_back(streams))
            if self.settings.guard_options:
                options = (self.settings.guard_options, self.settings.streams_options)
                guard = ConnectionGuard(self.settings.url, *options, report=alarms.report)
                tasks.start("guard", guard.run)
            tasks.start("links", lambda: self._follow_links(desk, tasks))
            await stop.wait()

    async def _follow_links(self, desk: WorkerContext, tasks: BackgroundTasks) -> None:
        """Run a worker for every link that passes its daily self-check [GL-13]."""
        loop = asyncio.get_running_loop()
        every = self.settings.check_seconds
        checked: dict[str, float] = {}
        while True:
            try:
                links = await loop.run_in_executor(desk.threads, self._links, desk)
                for link in links:
                    if link not in checked or loop.time() - checked[link] >= every:
                        await loop.run_in_executor(desk.threads, self._check, desk, link)
                        checked[link] = loop.time()
                    if link in self._closed:
                        self._end(link)
                    else:
                        self._begin(desk, link, tasks)
            except UNAVAILABLE as error:
                _log.warning("the books do not answer", error=str(error).splitlines()[:1])
            await asyncio.sleep(_LINKS_SECONDS if checked else _PAUSE_SECONDS)

    def _begin(self, desk: WorkerContext, link: str, tasks: BackgroundTasks) -> None:
        for domain in self._domains:
            if (link, domain) not in self._keepers:
                keeper = LinkWorker(desk, link, domain, self.settings.domains.get(domain))
                self._keepers[link, domain] = (
                    keeper,
                    tasks.start(f"link {link}{domain and f' in {domain}'}", keeper.run),
                )

    def _end(self, link: str) -> None:
        """Stop the workers of a link; its rounds wait in NATS."""
        for place in [place for place in self._keepers if place[0] == link]:
            _, running = self._keepers.pop(place)
            running.cancel()

    def _links(self, desk: WorkerContext) -> list[str]:
        with desk.pool.connection() as connection:
            if not self._recorded:
                record_start(
                    connection,
                    by=desk.name,
                    place=self.settings.url,
                    version=__version__,
                    # Without an approved list, nothing was verified.
                    components=components() if self.settings.approved else {},
                )
                self._recorded = True
            return list(chain_ends(connection))

    def _check(self, desk: WorkerContext, link: str) -> None:
        """Run the self-check of a link and close it on failure [GEN-08]."""
        with desk.pool.connection() as connection:
            problem = check_link(connection, link, by=desk.name)
        if problem is None:
            self._closed.discard(link)
        else:
            _log.error("self-check", problem=str(problem))
            self._closed.add(link)
        self.observed.closed.set(len(self._closed))

    async def _connect(self, options: Mapping[str, Any]) -> Client:
        while True:
            try:
                return await connect_to(
                    self.settings.url,
                    reconnect_time_wait=1,
                    ping_interval=2,
                    max_outstanding_pings=2,
                    connect_timeout=3,
                    pending_size=32 << 20,
                    reconnected_cb=self._reconnected,
                    error_cb=_quietly,
                    **{"name": self.settings.name, **options},
                )
            except (OSError, errors.Error, TimeoutError) as error:
                _log.warning("the log does not answer", url=self.settings.url, error=str(error))
                await asyncio.sleep(_PAUSE_SECONDS)

    async def _reconnected(self) -> None:
        self._back.set()

    async def _come_back(self, streams: Client) -> None:
        """Restore streams and consumers after each reconnect."""
        while True:
            await self._back.wait()
            self._back.clear()
            await self._make_streams(streams)
            for keeper, _ in list(self._keepers.values()):
                await keeper.again()

    async def _make_streams(self, streams: Client) -> None:
        while True:
            try:
                await ensure_streams(
                    streams.jetstream(),
                    replicas=self.settings.replicas,
                    felt_bytes=self.settings.log_bytes,
                )
            except (errors.Error, TimeoutError) as error:
                _log.warning("the log does not answer", error=str(error))
                await asyncio.sleep(_PAUSE_SECONDS)
            else:
                return


async def _unless(stop: asyncio.Event, work: Coroutine[Any, Any, _T]) -> _T | None:
    """Run work that may wait for NATS; return None if the stop comes first."""
    task, stopping = asyncio.create_task(work), asyncio.create_task(stop.wait())
    try:
        await asyncio.wait((task, stopping), return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        task.cancel()
        stopping.cancel()


async def _make_partitions(pool: Pool, threads: ThreadPoolExecutor) -> None:
    """Create the partitions of the next year, daily by wall-clock time."""

    def make() -> int:
        with pool.connection() as connection:
            return make_partitions(connection)

    last_day: date | None = None
    while True:
        today = datetime.now(UTC).date()
        if today != last_day:
            try:
                count = await asyncio.get_running_loop().run_in_executor(threads, make)
                last_day = today
                if count:
                    _log.info("partitions were created", count=count)
            except UNAVAILABLE as error:
                _log.warning("no partitions were created", error=str(error).splitlines()[:1])
        await asyncio.sleep(_PARTITIONS_SECONDS)


async def _quietly(error: Exception) -> None:
    _log.warning("the log", error=str(error) or type(error).__name__)
