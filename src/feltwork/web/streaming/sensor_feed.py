"""Hears the tables on the wire: what their sensors see, for screens that people look at."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

import structlog
from msgspec import DecodeError
from nats import errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.errors import NotFoundError

from feltwork.problem import ProblemsError
from feltwork.servers.nats_keys import KeyRing
from feltwork.servers.nats_permissions import SERVICE
from feltwork.web.settings import Settings
from feltwork.web.streaming.sensor_cache import SensorCache
from feltwork.wire import uplink as wire
from feltwork.wire.streams import TABLES
from feltwork.wire.subjects import decode_from, name_of, said_by

_PAUSE_SECONDS = 2
_log = structlog.get_logger("feltwork.web")


class SensorFeed:
    """The ear of the service. It says nothing, and nothing is booked from what it hears."""

    def __init__(self, settings: Settings, sensors: SensorCache) -> None:
        self._settings = settings
        self._sensors = sensors
        self._client = Client()
        #: Tables whose last word was asked for: they spoke before this process began.
        self._asked: set[tuple[str, str]] = set()

    async def run(self) -> None:
        """Hear until cancelled; a log that is away is waited for."""
        self._client = Client()
        options: Mapping[str, Any] = (
            KeyRing(self._settings.keys).options(SERVICE) if self._settings.keys else {"name": SERVICE}
        )
        try:
            await self._client.connect(
                self._settings.nats.split(","),
                max_reconnect_attempts=-1,
                reconnect_time_wait=_PAUSE_SECONDS,
                error_cb=_quietly,
                **options,
            )
            await self._client.subscribe(
                said_by("*", "*", wire.Sensors.subject), cb=partial(_survive, self._see)
            )
            await self._client.subscribe(
                said_by("*", "*", wire.Health.subject), cb=partial(_survive, self._live)
            )
            await asyncio.Event().wait()
        finally:
            await self._client.close()

    async def _see(self, message: Msg) -> None:
        self._light(message.subject, message.data)

    async def _live(self, message: Msg) -> None:
        """A table that lives still sees what it said last; who never spoke here is looked up once."""
        _, link, table, _ = map(name_of, message.subject.split("."))
        if self._sensors.renew(link, table) or (link, table) in self._asked:
            return
        subject = said_by(link, table, wire.Sensors.subject)
        try:
            found = await self._client.jetstream().get_last_msg(TABLES, subject, direct=True)
        except NotFoundError:
            found = None  # it has never said anything; it will when a chip is moved
        except (errors.Error, TimeoutError):
            return
        self._asked.add((link, table))
        if found is not None:
            self._light(subject, found.data or b"")

    def _light(self, subject: str, data: bytes) -> None:
        try:
            said = decode_from(subject, data)
        except (DecodeError, ProblemsError) as error:
            _log.warning("what sensors see cannot be read", subject=subject, error=str(error))
            return
        if isinstance(said, wire.Sensors):
            covered = {*said.covered} - {*said.broken}
            self._sensors.see(said.link, said.table, covered)


async def _survive(handle: Callable[[Msg], Awaitable[None]], message: Msg) -> None:
    """Handle a message; whatever is wrong with one, the next is heard."""
    try:
        await handle(message)
    except Exception:
        _log.exception("a message of a table is not shown", subject=message.subject)


async def _quietly(error: Exception) -> None:
    _log.warning("the log", error=str(error) or type(error).__name__)
