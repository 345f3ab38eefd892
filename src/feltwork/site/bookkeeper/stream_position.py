"""The starting point of a link's consumer: after the messages that are booked according to the books.

A restore rolls back the books but not the consumer, which is past messages that they no longer have. So the
books store the consumer's acknowledgment floor, at most a second late. A consumer that is ahead of it is
recreated from there. Messages that are already booked are detected as duplicates.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from typing import TypeVar

import msgspec
import structlog
from nats import errors
from nats.js import JetStreamContext
from nats.js.errors import NotFoundError

from feltwork.background_tasks import is_cancelled
from feltwork.site.bookkeeper.delivery import StreamDelivery
from feltwork.site.books.connection import UNAVAILABLE, Pool
from feltwork.site.books.links.stream_position import (
    DatabaseRun,
    StreamKey,
    read_position,
    save_position,
)
from feltwork.site.books.people.sign_in import SignOnCopy, restore_sign_ons
from feltwork.site.wire.streams import FELT, SIGN_ONS, consumer_config, consumer_name
from feltwork.site.wire.uplink import RoundEnded, RoundStarted

_EVERY_SECONDS = 1.0
_READ_SECONDS = 2.0
_T = TypeVar("_T")
_log = structlog.get_logger("feltwork.site.bookkeeper")


class BooksReplacedError(Exception):
    """PostgreSQL was restarted, switched over or restored; the books may have gone back."""


class StreamPosition:
    """The position of a link's consumer in the stream of one domain."""

    def __init__(
        self,
        link: str,
        domain: str,
        *,
        js: JetStreamContext,
        site_js: JetStreamContext,
        pool: Pool,
        threads: Executor,
    ) -> None:
        self._link = link
        self._domain = domain
        self._consumer = consumer_name(link, domain)
        self._js = js
        self._site_js = site_js
        self._pool = pool
        self._threads = threads
        self._run: DatabaseRun | None = None
        #: The last message that is read again.
        self.read_again_until = 0

    async def begin(self) -> None:
        """Create the consumer; recreate one that is ahead of the books from their position."""
        key = await self._key()
        self._run, booked = await self._in_thread(self._read, key)
        floor = await self._floor()
        if floor is not None and floor > booked:
            _log.info("messages are read again", link=self._link, domain=self._domain, count=floor - booked)
            self.read_again_until = floor
            await self._js.delete_consumer(FELT, self._consumer)
        if floor is None or floor > booked:
            await self._in_thread(self._restore_sign_ons, await _copies(self._site_js))
            await self._create(booked)

    async def again(self) -> None:
        """Create the consumer if it is missing after a reconnect."""
        if await self._floor() is None:
            _, booked = await self._in_thread(self._read, await self._key())
            await self._create(booked)

    async def follow(self) -> None:
        """Save the position every second; raise `BooksReplacedError` when PostgreSQL was restarted."""
        while not is_cancelled():
            await asyncio.sleep(_EVERY_SECONDS)
            await self.save()

    async def save(self) -> None:
        """Save the position if NATS and the books answer."""
        with suppress(errors.Error, TimeoutError, *UNAVAILABLE):
            key, floor = await self._key(), await self._floor()
            if floor is not None and not await self._in_thread(self._save, key, floor):
                raise BooksReplacedError

    async def _key(self) -> StreamKey:
        created = (await self._js.stream_info(FELT)).created
        assert created is not None
        return StreamKey(link=self._link, domain=self._domain, created=created)

    async def _floor(self) -> int | None:
        """The message up to which all are acknowledged; None without a consumer."""
        try:
            info = await self._js.consumer_info(FELT, self._consumer)
        except NotFoundError:
            return None
        return info.ack_floor.stream_seq if info.ack_floor else 0

    async def _create(self, booked: int) -> None:
        await self._js.add_consumer(FELT, consumer_config(self._link, self._domain, after=booked))

    async def _in_thread(self, work: Callable[..., _T], *arguments: object) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)

    def _read(self, key: StreamKey) -> tuple[DatabaseRun, int]:
        with self._pool.connection() as connection:
            return read_position(connection, key)

    def _save(self, key: StreamKey, floor: int) -> bool:
        assert self._run is not None
        with self._pool.connection() as connection:
            return save_position(connection, key, floor, self._run)

    def _restore_sign_ons(self, copies: list[SignOnCopy]) -> None:
        with self._pool.connection() as connection:
            restore_sign_ons(connection, copies)


def in_order(deliveries: Sequence[StreamDelivery]) -> Iterator[list[StreamDelivery]]:
    """Split a batch before each START GAME that follows a claim, so the claim gets no later contributions.

    A batch books its starts first, and reread messages come in much larger batches than the first time.
    """
    part: list[StreamDelivery] = []
    claimed = False
    for delivery in deliveries:
        starts = isinstance(delivery.message, RoundStarted)
        if starts and claimed:
            yield part
            part, claimed = [], False
        claimed = claimed or not (starts or isinstance(delivery.message, RoundEnded))
        part.append(delivery)
    yield part


async def keep_copy(js: JetStreamContext, copy: SignOnCopy) -> None:
    """Store a copy of a sign-on outside the books."""
    await js.publish(f"signed_on.{copy.id_hash}", msgspec.json.encode(copy))


async def _copies(js: JetStreamContext) -> list[SignOnCopy]:
    """All stored copies of sign-ons."""
    held = (await js.stream_info(SIGN_ONS)).state.messages
    if not held:
        return []
    reader = await js.subscribe("signed_on.*", stream=SIGN_ONS, ordered_consumer=True)
    try:
        messages = [await reader.next_msg(_READ_SECONDS) for _ in range(held)]
    finally:
        await reader.unsubscribe()
    return [msgspec.json.decode(message.data, type=SignOnCopy) for message in messages]
