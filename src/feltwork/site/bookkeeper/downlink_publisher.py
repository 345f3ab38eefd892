"""Publishes meters to everyone and the results of claims to their tables."""

import asyncio
import time
from collections.abc import Collection, Mapping
from concurrent.futures import Executor
from contextlib import suppress

import structlog
from nats import errors
from nats.aio.client import Client
from nats.aio.msg import Msg

from feltwork.background_tasks import is_cancelled
from feltwork.problem import Problem
from feltwork.site.books.connection import UNAVAILABLE, Pool, wait_for_standbys
from feltwork.site.books.links.change_feed import FeedReading, TableUpdates, look, mark_published
from feltwork.site.progressive.chain import Tail
from feltwork.site.progressive.state import LinkState
from feltwork.site.wire.downlink import MeterSnapshot
from feltwork.site.wire.subjects import subject_of
from feltwork.site.wire.uplink import Message, encode
from feltwork.telemetry.tracing import span, trace_headers

#: Minimum interval between snapshots of a link.
_EVERY_SECONDS = 0.125
#: Maximum silence: a sign reports stale data after ten seconds, so it gets two snapshots in that time.
_QUIET_SECONDS = 4.0
_LOOK_SECONDS = 0.25
_log = structlog.get_logger("feltwork.site.bookkeeper")


class DownlinkPublisher:
    """The publisher of a bookkeeper."""

    def __init__(self, client: Client, pool: Pool, threads: Executor) -> None:
        self._client = client
        self._js = client.jetstream()
        self._pool = pool
        self._threads = threads
        self._offered: dict[str, MeterSnapshot] = {}
        self._told: dict[str, tuple[int, float]] = {}
        #: Traces waiting for the next state of their link, and traces of the offered state.
        self._traces: dict[str, list[str]] = {}
        self._traces_offered: dict[str, list[str]] = {}
        #: Link -> the last entry whose claim results were published.
        self._seen: dict[str, int] = {}
        self._some = asyncio.Event()

    def offer(self, state: LinkState, tail: Tail, reasons: Mapping[str, str] | None = None) -> None:
        """Offer a new state of a link; only the latest is published."""
        held = self._offered.get(state.link.id)
        if held is None or held.entry <= tail.number:
            self._offered[state.link.id] = snapshot(state, tail, reasons or {})
            if traces := self._traces.pop(state.link.id, None):
                self._traces_offered.setdefault(state.link.id, []).extend(traces)
            self._some.set()

    def follow(self, link: str, traces: Collection[str]) -> None:
        """Attach traces to the next state offered for a link."""
        self._traces.setdefault(link, []).extend(traces)

    def forget(self, link: str) -> None:
        """Forget what was published for a link, whose books may have gone back to an earlier entry."""
        self._offered.pop(link, None)
        self._told.pop(link, None)
        self._seen.pop(link, None)

    async def tell(self, message: Message, name: str = "") -> None:
        """Publish a message to a table, stored by JetStream."""
        headers = {"Nats-Msg-Id": name} if name else None
        await self._js.publish(subject_of(message), encode(message), headers=headers)

    async def park(self, message: Msg, problem: Problem) -> None:
        """Move a message that cannot be booked to PARKED, with the reason."""
        why = " ".join(problem.what[:200].split())
        name = f"{message.metadata.domain}:{message.metadata.sequence.stream}"  # it may be delivered again
        headers = {"Feltwork-Why": why, "Nats-Msg-Id": name}
        await self._js.publish(f"parked.{message.subject}", message.data, headers=headers)

    async def run(self) -> None:
        """Publish until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._flush())
            tasks.create_task(self._look())

    async def _flush(self) -> None:
        clock = asyncio.get_running_loop().time
        while not is_cancelled():
            await self._some.wait()
            self._some.clear()
            offered, self._offered = self._offered, {}
            for link, meters in offered.items():
                if meters.entry < self._told.get(link, (0, 0.0))[0]:
                    continue
                self._told[link] = (meters.entry, clock())
                traces = self._traces_offered.pop(link, ())
                with suppress(errors.Error), span("publish meters", traces):  # the next snapshot follows
                    await self._client.publish(
                        subject_of(meters), encode(meters), headers=trace_headers() or None
                    )
            await asyncio.sleep(_EVERY_SECONDS)

    async def _look(self) -> None:
        """Publish entries booked by the service and by other bookkeepers."""
        loop = asyncio.get_running_loop()
        while not is_cancelled():
            await asyncio.sleep(_LOOK_SECONDS)
            entries = {
                link: number
                for link, (number, when) in self._told.items()
                if loop.time() - when < _QUIET_SECONDS
            }
            try:
                reading = await loop.run_in_executor(self._threads, self._read, entries, dict(self._seen))
                for snapshot, reasons in reading.meters:
                    self.offer(snapshot.state, snapshot.tail, reasons)
                for link, news in reading.news.items():
                    await self._tell_news(link, news)
                    self._seen[link] = news.until
            except UNAVAILABLE as error:
                _log.warning("the books do not answer", error=str(error).splitlines()[:1])
                await asyncio.sleep(1)
            except (errors.Error, TimeoutError) as error:
                _log.warning("the log does not answer", error=str(error))

    def _read(self, entries: Mapping[str, int], news_until: Mapping[str, int]) -> FeedReading:
        with self._pool.connection() as connection:
            reading = look(connection, entries, news_until)
            if self._is_new(reading):
                wait_for_standbys(connection)
        return reading

    def _is_new(self, reading: FeedReading) -> bool:
        """Whether there is something to tell that nobody was told."""
        meters = [snapshot for snapshot, _ in reading.meters]
        return any(
            meter.tail.number > self._told.get(meter.state.link.id, (-1, 0))[0] for meter in meters
        ) or any(news.messages for news in reading.news.values())

    async def _tell_news(self, link: str, news: TableUpdates) -> None:
        """Publish in order; move the cursor after all are stored, so nothing is missed [GEN-09]."""
        for entry, message in news.messages:
            await self.tell(message, f"{link}:{entry}:{message.at}:{type(message).__name__}")
        if news.messages:
            await asyncio.get_running_loop().run_in_executor(self._threads, self._moved, link, news.until)

    def _moved(self, link: str, number: int) -> None:
        with self._pool.connection() as connection:
            mark_published(connection, link, number)


def snapshot(state: LinkState, tail: Tail, reasons: Mapping[str, str]) -> MeterSnapshot:
    """Build the snapshot of a link."""
    return MeterSnapshot(
        link=state.link.id,
        at=time.time_ns() // 1_000,
        version=state.link.fingerprint,
        takes_wagers=state.takes_wagers,
        stops={cause: reasons.get(cause, cause) for cause in state.stops},
        meters={level: state.shown(level) for level in state.link.level_names},
        entry=tail.number,
        hash=tail.hash,
        life=state.life,
    )
