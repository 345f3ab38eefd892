"""NATS subscriber for sensor readings and heartbeats, for screens and readiness only."""

import asyncio
import time
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
from feltwork.site.servers.nats_keys import KeyRing
from feltwork.site.servers.nats_permissions import SERVICE
from feltwork.site.web.settings import Settings
from feltwork.site.web.streaming.sensor_cache import SensorCache
from feltwork.site.wire import uplink as wire
from feltwork.site.wire.connection import connect_to, disconnect
from feltwork.site.wire.downlink import MeterSnapshot, decode_downlink
from feltwork.site.wire.streams import TABLES
from feltwork.site.wire.subjects import decode_from, meters_of, name_of, uplink_subject
from feltwork.telemetry.tracing import HEADER, is_tracing

_PAUSE_SECONDS = 2
#: A bookkeeper publishes the meters of every link every four seconds.
_SILENT_SECONDS = 15.0
_log = structlog.get_logger("feltwork.site.web")


class SensorFeed:
    """Subscribes to the tables; publishes and posts nothing."""

    def __init__(
        self,
        settings: Settings,
        sensors: SensorCache,
        follow: Callable[[str, int, str], None] = lambda link, entry, trace: None,
    ) -> None:
        #: Called with the link, entry and trace of a published meter.
        self._follow = follow
        self._settings = settings
        self._sensors = sensors
        self._client = Client()
        #: Tables whose last reading before this process started has been looked up.
        self._looked_up: set[tuple[str, str]] = set()
        #: Time of the last message from a bookkeeper, or of the start of this process.
        self._heard = time.monotonic()

    @property
    def is_connected(self) -> bool:
        """Whether NATS answers."""
        return self._client.is_connected

    @property
    def silent_seconds(self) -> float:
        """Seconds since a bookkeeper last published a meter."""
        return time.monotonic() - self._heard

    @property
    def is_silent(self) -> bool:
        """Whether every bookkeeper has stopped; also true if there is no link."""
        return self.silent_seconds > _SILENT_SECONDS

    async def run(self) -> None:
        """Subscribe until cancelled; reconnect as needed."""
        options: Mapping[str, Any] = (
            KeyRing(self._settings.keys).options(SERVICE) if self._settings.keys else {"name": SERVICE}
        )
        try:
            self._client = await connect_to(
                self._settings.nats, reconnect_time_wait=_PAUSE_SECONDS, error_cb=_log_error, **options
            )
            await self._client.subscribe(
                uplink_subject("*", "*", wire.Sensors.subject), cb=partial(_survive, self._see)
            )
            await self._client.subscribe(
                uplink_subject("*", "*", wire.Health.subject), cb=partial(_survive, self._live)
            )
            await self._client.subscribe(meters_of("*"), cb=partial(_survive, self._hear))
            await asyncio.Event().wait()
        finally:
            await disconnect(self._client)

    async def _hear(self, message: Msg) -> None:
        self._heard = time.monotonic()
        if is_tracing() and (trace := (message.headers or {}).get(HEADER)):
            meters = decode_downlink(message.data)
            assert isinstance(meters, MeterSnapshot)
            self._follow(meters.link, meters.entry, trace)

    async def _see(self, message: Msg) -> None:
        self._light(message.subject, message.data)

    async def _live(self, message: Msg) -> None:
        """Extend the last reading of a live table; look it up once if there is none."""
        _, link, table, _ = map(name_of, message.subject.split("."))
        health = decode_from(message.subject, message.data)
        if isinstance(health, wire.Health) and health.phase == "closed":
            self._sensors.forget(link, table)
            return
        if self._sensors.renew(link, table) or (link, table) in self._looked_up:
            return
        subject = uplink_subject(link, table, wire.Sensors.subject)
        try:
            reading = await self._client.jetstream().get_last_msg(TABLES, subject, direct=True)
        except NotFoundError:
            reading = None  # no reading yet; the first chip sends one
        except (errors.Error, TimeoutError):
            return
        self._looked_up.add((link, table))
        if reading is not None:
            self._light(subject, reading.data or b"")

    def _light(self, subject: str, data: bytes) -> None:
        try:
            reading = decode_from(subject, data)
        except (DecodeError, ProblemsError) as error:
            _log.warning("invalid sensor reading", subject=subject, error=str(error))
            return
        if isinstance(reading, wire.Sensors):
            covered = {*reading.covered} - {*reading.broken}
            self._sensors.see(reading.link, reading.table, covered)


async def _survive(handle: Callable[[Msg], Awaitable[None]], message: Msg) -> None:
    """Handle a message; an error must not end the subscription."""
    try:
        await handle(message)
    except Exception:
        _log.exception("table message dropped", subject=message.subject)


async def _log_error(error: Exception) -> None:
    _log.warning("nats", error=str(error) or type(error).__name__)
