"""Monitors missing and refused rounds, and trims streams."""

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor

import structlog
from nats import errors
from nats.js import JetStreamContext

from feltwork.background_tasks import is_cancelled
from feltwork.operations.connection import UNAVAILABLE, Pool
from feltwork.operations.records.alarms import update_round_alarms
from feltwork.telemetry.bookkeeper_metrics import BookkeeperMetrics
from feltwork.wire.streams import FELT

#: Grace period before a missing number raises an alarm.
GRACE_SECONDS = 5.0
_EVERY_SECONDS = 1.0
_TRIM_SECONDS = 60.0
#: Fill level of the stream up to which booked messages stay.
_FULL = 0.5
_log = structlog.get_logger("feltwork.bookkeeper")


class StreamMonitor:
    """Checks the books every second."""

    def __init__(self, name: str, pool: Pool, threads: Executor, observed: BookkeeperMetrics) -> None:
        self._name = name
        self._pool = pool
        self._threads = threads
        self._observed = observed
        #: Table -> its missing numbers, and since when.
        self._since: dict[str, tuple[str, float]] = {}

    async def run(self, logs: Sequence[JetStreamContext]) -> None:
        """Monitor until cancelled; `logs` are the site's JetStream and those of the domains."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._look_again())
            for js in logs:
                tasks.create_task(_trim_again(js))

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


async def _trim_again(js: JetStreamContext) -> None:
    while not is_cancelled():
        try:
            await trim(js)
        except (errors.Error, TimeoutError) as error:
            _log.warning("the log does not answer", error=str(error))
        await asyncio.sleep(_TRIM_SECONDS)


async def trim(js: JetStreamContext) -> None:
    """Purge booked messages from the older half of a log that is half full; the rest stays for a restore.

    From a subject that is half full, purge all booked messages.

    Messages that no link has booked stay, whoever sent them, and so does the newest message of each subject:
    a controller continues from it after a restart, and the store checks the position of the next message
    against it.
    """
    info = await js.stream_info(FELT)
    most, most_of_subject = info.config.max_bytes or 0, info.config.max_msgs_per_subject or 0
    is_full = most > 0 and info.state.bytes >= _FULL * most
    middle = info.state.last_seq - info.state.messages // 2
    for reader in await js.consumers_info(FELT):
        booked = reader.ack_floor.stream_seq if reader.ack_floor else 0
        held = await js.stream_info(FELT, subjects_filter=reader.config.filter_subject)
        for subject, count in (held.state.subjects or {}).items():
            is_flooded = 0 < _FULL * most_of_subject < count
            until = booked if is_flooded else min(booked, middle) if is_full else 0
            if until and count > 1:
                newest = await js.get_last_msg(FELT, subject, direct=True)
                await js.purge_stream(FELT, subject=subject, seq=min(until + 1, newest.seq or 1))
