"""Books the deliveries of one link from one JetStream domain."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

import structlog
from nats import errors
from nats.aio.client import Client
from nats.js import JetStreamContext

from feltwork.background_tasks import is_cancelled
from feltwork.problem import Problem
from feltwork.site.bookkeeper.delivery import StreamDelivery, Tables
from feltwork.site.bookkeeper.downlink_publisher import DownlinkPublisher
from feltwork.site.bookkeeper.pull_consumer import PullConsumer
from feltwork.site.bookkeeper.stream_position import BooksReplacedError, StreamPosition, in_order
from feltwork.site.books.connection import UNAVAILABLE, Pool, wait_for_standbys
from feltwork.site.books.journal.link_state import LinkSnapshot
from feltwork.site.books.tables.deliveries import DeliveryBatch, LinkDeliveries, Outcome
from feltwork.site.books.tables.parked import keep_parked, raise_for_batch
from feltwork.site.wire.streams import AT_A_TABLE, FELT, consumer_name, ensure_streams
from feltwork.telemetry.bookkeeper_metrics import BookkeeperMetrics
from feltwork.telemetry.tracing import is_tracing

#: Maximum batch size: large enough to share a commit, small enough for signs to update quickly.
_BATCH = 2_500
#: Prefetch bounds. The prefetch covers two seconds of booking, well below `ack_wait`.
_AHEAD_SECONDS = 2.0
_AHEAD = 10_000
_LEAST_AHEAD = 1_000
_FIRST_PAUSE_SECONDS = 0.1
_LONGEST_PAUSE_SECONDS = 2.0
#: Maximum number of concurrent requests to NATS.
_TOGETHER = 250
#: Timeout for saving the position when a worker ends.
_SAVE_SECONDS = 1.0
#: Timeout for the current batch when a worker ends.
_FINISH_SECONDS = 0.5
_T = TypeVar("_T")
_log = structlog.get_logger("feltwork.site.bookkeeper")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerContext:
    """Context shared by the tasks of a bookkeeper."""

    name: str
    client: Client
    #: The connection that manages streams.
    streams: Client
    pool: Pool
    threads: Executor
    observed: BookkeeperMetrics
    publish: DownlinkPublisher
    log_bytes: int


class LinkWorker:
    """Books one link; several workers may book the same link."""

    def __init__(self, desk: WorkerContext, link: str, domain: str = "", tables: Tables = None) -> None:
        self._desk = desk
        self._link = link
        self._domain = domain
        self._tables = tables
        self._js: JetStreamContext = desk.streams.jetstream(domain=domain or None)
        self._position = StreamPosition(
            link,
            domain,
            js=self._js,
            site_js=desk.streams.jetstream(),
            pool=desk.pool,
            threads=desk.threads,
        )
        self._pull: PullConsumer | None = None
        self._deliveries = LinkDeliveries(link)
        #: The state of the link after the last batch.
        self._after: LinkSnapshot | None = None
        self._answering: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Book until cancelled; messages that were not booked are redelivered."""
        while True:
            try:
                await self._book_messages()
            except* BooksReplacedError:
                _log.warning("PostgreSQL was restarted or restored", link=self._link, domain=self._domain)
                self._desk.publish.forget(self._link)

    async def _book_messages(self) -> None:
        self._after = self._answering = None
        self._deliveries = LinkDeliveries(self._link)
        async with asyncio.TaskGroup() as tasks:
            pull = await self._begin(tasks)
            tasks.create_task(self._position.follow())
            booking: asyncio.Task[None] | None = None
            before: DeliveryBatch | None = None
            try:
                while True:
                    deliveries = await pull.take(_BATCH)
                    if is_cancelled():  # a closed link books nothing more
                        raise asyncio.CancelledError
                    again = deliveries[0].raw.metadata.sequence.stream <= self._position.read_again_until
                    for delivery in deliveries if again else ():
                        delivery.is_read_again = True
                    for some in in_order(deliveries) if again else (deliveries,):
                        # Prepared while the previous batch is booked, and booked while that is acknowledged.
                        batch = await self._prepare(some, before)
                        if booking is not None:
                            await booking
                        booking = tasks.create_task(self._settle(some, batch, pull, tasks))
                        before = batch
            finally:
                left = await pull.stop()
                await self._finish(booking)
                await self._give_back(left)
                with suppress(TimeoutError, BooksReplacedError):
                    await asyncio.wait_for(self._position.save(), _SAVE_SECONDS)

    async def _finish(self, booking: asyncio.Task[None] | None) -> None:
        """Let the current batch finish, unless the books do not answer, and acknowledge it."""
        if booking is not None:
            await asyncio.wait({booking}, timeout=_FINISH_SECONDS)
        if self._answering is not None:
            await self._answering

    async def again(self) -> None:
        """Restore the consumer after a reconnect."""
        if self._pull is not None:
            with suppress(errors.Error, TimeoutError, *UNAVAILABLE):
                await self._position.again()
            await self._pull.again()

    async def _begin(self, tasks: asyncio.TaskGroup) -> PullConsumer:
        while True:
            try:
                if self._domain:  # a pit's own server, which may be new
                    await ensure_streams(self._js, AT_A_TABLE, felt_bytes=self._desk.log_bytes)
                await self._position.begin()
                break
            except (errors.Error, TimeoutError) as error:
                _log.warning(
                    "the log does not answer", link=self._link, domain=self._domain, error=str(error)
                )
                await asyncio.sleep(_LONGEST_PAUSE_SECONDS)
            except UNAVAILABLE as error:
                _log.warning("the books do not answer", link=self._link, error=str(error).splitlines()[:1])
                await asyncio.sleep(_LONGEST_PAUSE_SECONDS)
        prefix = f"$JS.{self._domain}.API" if self._domain else "$JS.API"
        name = consumer_name(self._link, self._domain)
        self._pull = PullConsumer(
            self._desk.client, FELT, name, ahead=_LEAST_AHEAD, prefix=prefix, tables=self._tables
        )
        return await self._pull.start(tasks)

    async def _prepare(
        self, deliveries: list[StreamDelivery], before: DeliveryBatch | None
    ) -> DeliveryBatch | None:
        """Prepare a batch; return None while the database is down."""
        try:
            return await self._in_thread(self._sort, deliveries, before)
        except UNAVAILABLE:
            return None

    def _sort(self, deliveries: list[StreamDelivery], before: DeliveryBatch | None) -> DeliveryBatch:
        with self._desk.pool.connection() as connection:
            return self._deliveries.prepare(connection, deliveries, before)

    async def _settle(
        self,
        deliveries: list[StreamDelivery],
        batch: DeliveryBatch | None,
        pull: PullConsumer,
        tasks: asyncio.TaskGroup,
    ) -> None:
        """Book a batch, retrying while the database is down, and acknowledge it in parallel with the next."""
        pause = _FIRST_PAUSE_SECONDS
        while True:
            began = time.perf_counter()
            try:
                outcome = await self._in_thread(self._book, deliveries, batch)
                break
            except UNAVAILABLE as error:
                batch = None
                pull.hold(on=True)
                self._desk.observed.away.inc()
                _log.warning("the books do not answer", link=self._link, error=str(error).splitlines()[:1])
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
        pull.hold(on=False)
        seconds = time.perf_counter() - began
        pull.ahead = max(_LEAST_AHEAD, min(_AHEAD, int(_AHEAD_SECONDS * len(deliveries) / seconds)))
        self._count(outcome, seconds, deliveries[-1])
        if is_tracing():
            self._desk.publish.follow(
                self._link, [delivery.trace for delivery in outcome.done if delivery.trace]
            )
        if outcome.after is not None and outcome.after is not self._after:
            self._after = outcome.after
            self._desk.publish.offer(self._after.state, self._after.tail)
        if self._answering is not None:
            await self._answering
        self._answering = tasks.create_task(self._answer(outcome))

    async def _in_thread(self, work: Callable[..., _T], *arguments: object) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._desk.threads, work, *arguments)

    def _book(self, deliveries: list[StreamDelivery], batch: DeliveryBatch | None) -> Outcome:
        with self._desk.pool.connection() as connection:
            outcome = self._deliveries.apply(connection, deliveries, self._after, batch)
            keep_parked(connection, outcome)
            raise_for_batch(connection, outcome, by=self._desk.name)
            if outcome.has_standby:
                wait_for_standbys(connection)
        return outcome

    async def _answer(self, outcome: Outcome) -> None:
        """Acknowledge a batch; a lost acknowledgment causes a redelivery, which is a duplicate."""
        with suppress(errors.Error, TimeoutError):
            await _together(self._desk.publish.tell(notice) for notice in outcome.notices)
            for delivery in outcome.done:
                await delivery.raw.ack()
            for delivery in outcome.waiting:
                await delivery.raw.nak(delay=delivery.wait_seconds)
            await _together(self._park(*parked) for parked in outcome.parked)

    async def _park(self, delivery: StreamDelivery, problem: Problem) -> None:
        await self._desk.publish.park(delivery.raw, problem)
        await delivery.raw.ack()

    async def _give_back(self, deliveries: Iterable[StreamDelivery]) -> None:
        with suppress(errors.Error, TimeoutError):
            for delivery in deliveries:
                await delivery.raw.nak()

    def _count(self, outcome: Outcome, seconds: float, last: StreamDelivery) -> None:
        observed, link = self._desk.observed, self._link
        observed.rounds.labels(link).inc(outcome.rounds)
        observed.wagers.labels(link).inc(outcome.wagers)
        observed.duplicates.labels(link).inc(outcome.duplicates)
        observed.refused.labels(link).inc(outcome.refused)
        observed.parked.labels(link).inc(len(outcome.parked))
        observed.waits.labels(link).inc(len(outcome.waiting))
        observed.seconds.labels(link).observe(seconds)
        waiting = self._pull.waiting if self._pull else 0
        observed.lag.labels(link).set(last.raw.metadata.num_pending + waiting)


async def _together(requests: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Await requests in groups: one at a time, a flood of refused messages would hold up its link."""
    left = iter(requests)
    while some := list(islice(left, _TOGETHER)):
        await asyncio.gather(*some)
