"""Monitors missing and refused rounds, and trims streams."""

import asyncio
from collections.abc import Collection, Mapping
from concurrent.futures import Executor

import structlog
from nats import errors
from nats.js import JetStreamContext

from feltwork.background_tasks import is_cancelled
from feltwork.site.books.connection import UNAVAILABLE, Pool
from feltwork.site.books.links.versions import chain_ends
from feltwork.site.books.watch.alarms import Report, update_round_alarms
from feltwork.site.wire.streams import FELT
from feltwork.site.wire.subjects import name_of, token
from feltwork.telemetry.bookkeeper_metrics import BookkeeperMetrics

#: Grace period before a missing number raises an alarm.
GRACE_SECONDS = 5.0
_EVERY_SECONDS = 1.0
_TRIM_SECONDS = 5.0
#: Fill level of the stream up to which booked messages stay, and above which an alarm is raised.
_FULL = 0.5
ALARM = "full log"
_log = structlog.get_logger("feltwork.site.bookkeeper")


class StreamMonitor:
    """Checks the books every second."""

    def __init__(
        self, name: str, pool: Pool, threads: Executor, observed: BookkeeperMetrics, report: Report
    ) -> None:
        self._name = name
        self._pool = pool
        self._report = report
        self._threads = threads
        self._observed = observed
        #: Table -> its missing numbers, and since when.
        self._since: dict[str, tuple[str, float]] = {}

    async def run(self, logs: Mapping[str, JetStreamContext]) -> None:
        """Monitor until cancelled; `logs` are the JetStreams of the site and of the domains, by name."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._look_again())
            for place, js in logs.items():
                tasks.create_task(self._trim_again(place, js))

    async def _look_again(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                await loop.run_in_executor(self._threads, self.look, loop.time())
            except UNAVAILABLE as error:
                _log.warning("the books do not answer", error=str(error).splitlines()[:1])
            await asyncio.sleep(_EVERY_SECONDS)

    def look(self, now: float) -> None:
        """Raise and clear alarms about rounds."""
        with self._pool.connection() as connection:
            counts = update_round_alarms(
                connection, lambda missing: self._lasting(missing, now), by=self._name
            )
        for kind, count in counts.items():
            self._observed.alarms.labels(kind).set(count)

    def _lasting(self, missing: Mapping[str, str], now: float) -> dict[str, str]:
        """The numbers that have been missing for longer than the grace period."""
        self._since = {table: self._since.get(table, (numbers, now)) for table, numbers in missing.items()}
        lasting = {
            table: numbers
            for table, numbers in missing.items()
            if now - self._since[table][1] >= GRACE_SECONDS
        }
        self._observed.gaps.set(len(lasting))
        return lasting

    async def _trim_again(self, place: str, js: JetStreamContext) -> None:
        loop, before = asyncio.get_running_loop(), ""
        while not is_cancelled():
            try:
                what = await trim(js, await loop.run_in_executor(self._threads, self._links))
                if what or before:
                    self._report(ALARM, place, what or None)
                before = what
            except UNAVAILABLE as error:
                _log.warning("the books do not answer", error=str(error).splitlines()[:1])
            except (errors.Error, TimeoutError) as error:
                _log.warning("the log does not answer", error=str(error))
            await asyncio.sleep(_TRIM_SECONDS)

    def _links(self) -> list[str]:
        with self._pool.connection() as connection:
            return list(chain_ends(connection))


async def trim(js: JetStreamContext, links: Collection[str]) -> str:
    """Purge booked messages from the older half of a log that is half full; the rest stays for a restore.

    From a subject that is half full, purge all booked messages. From a log that is half full, purge the
    subjects of links that neither the books know nor anybody reads. Return what fills half of the log, or of
    a subject, nevertheless; empty if nothing does.

    Messages of a link that are not booked stay, whoever sent them, and so does the newest message of each
    subject: a controller continues from it after a restart, and the store checks the position of the next
    message against it.
    """
    info = await js.stream_info(FELT, subjects_filter=">")
    subjects = info.state.subjects or {}
    most, most_of_subject = info.config.max_bytes or 0, info.config.max_msgs_per_subject or 0
    is_full = most > 0 and info.state.bytes >= _FULL * most
    middle = info.state.last_seq - info.state.messages // 2
    known = {token(link) for link in links}
    for reader in await js.consumers_info(FELT):
        booked = reader.ack_floor.stream_seq if reader.ack_floor else 0
        link = _parts(reader.config.filter_subject or "felt.>")[1]
        known.add(link)
        for subject, count in subjects.items():
            is_flooded = 0 < _FULL * most_of_subject < count
            until = booked if is_flooded else min(booked, middle) if is_full else 0
            if until and count > 1 and _parts(subject)[1] == link:
                newest = await js.get_last_msg(FELT, subject, direct=True)
                await js.purge_stream(FELT, subject=subject, seq=min(until + 1, newest.seq or 1))
    for subject in subjects if is_full and links else ():  # books without links wait to be restored
        if _parts(subject)[1] not in known:
            await js.purge_stream(FELT, subject=subject)
    return await _what_fills(js)


async def _what_fills(js: JetStreamContext) -> str:
    info = await js.stream_info(FELT, subjects_filter=">")
    most, most_of_subject = info.config.max_bytes or 0, info.config.max_msgs_per_subject or 0
    subject, count = max((info.state.subjects or {"": 0}).items(), key=lambda held: held[1])
    share = max(
        info.state.bytes / most if most > 0 else 0, count / most_of_subject if most_of_subject > 0 else 0
    )
    if share < _FULL or not subject:
        return ""
    _, link, table, kind = map(name_of, _parts(subject))
    most_are = f"most messages are from table {table}: {count} of kind {kind} on link {link}"
    return f"the log is {share:.0%} full; {most_are}"


def _parts(subject: str) -> list[str]:
    return subject.split(".")
