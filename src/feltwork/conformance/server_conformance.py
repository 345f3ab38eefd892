"""Conformance test of a server against a simulated device."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec
from nats.aio.client import Client
from nats.errors import Error as NatsError

from feltwork.conformance.checks import Check, check, is_conformant, of_all_links
from feltwork.conformance.simulated_site import WRONG_PIN
from feltwork.money import Micros
from feltwork.problem import ProblemsError
from feltwork.site.compliance.floor import Floor, link_from_floor
from feltwork.site.table import software_identity
from feltwork.site.table.controller_factory import links_of
from feltwork.site.table.publisher import TablePublisher
from feltwork.site.wire import uplink as wire
from feltwork.site.wire.downlink import AnyDownlink, MeterSnapshot, SignedOn, Welcome
from feltwork.site.wire.streams import FELT
from feltwork.site.wire.subjects import downlink_prefix, meters_of, subject_of, uplink_subject

T = TypeVar("T")
SECONDS = 10.0
#: How long a table waits for a welcome before it says hello again.
_HELLO_SECONDS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceIdentity:
    """The identity of the simulated device."""

    link: str
    table: str
    version: str
    paytable: str
    wager: Micros
    game: str
    #: Whether its wagers feed meters; those of a house jackpot do not.
    feeds_meters: bool = True
    #: The dealer's badge and PIN.
    badge: str
    pin: str = field(repr=False)


def devices_of(floor: Floor, table: str, *, badge: str, pin: str) -> list[DeviceIdentity]:
    """Describe the simulated device of a table on each of its links."""
    links = [link_from_floor(floor, link) for link in links_of(floor, table).values()]
    return [
        DeviceIdentity(
            link=link.id,
            table=table,
            version=link.fingerprint,
            paytable=link.paytable.fingerprint,
            wager=link.wager,
            game=floor.table_by_id[table].game.name,
            feeds_meters=not link.is_house,
            badge=badge,
            pin=pin,
        )
        for link in links
    ]


class ConformanceDevice:
    """The simulated device."""

    def __init__(self, client: Client, device: DeviceIdentity, *, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self.client = client
        self.device = device
        self.line = TablePublisher(client, link=device.link, table=device.table)
        self.heard: list[AnyDownlink] = []
        self.number = 0
        #: The sign-on that its messages carry.
        self.sign_on = ""

    async def open(self) -> None:
        """Subscribe, then send a hello."""
        about = downlink_prefix(self.device.link, self.device.table)
        await self.line.listen(self._hear, f"{about}.>", meters_of(self.device.link))
        await self._say_hello()

    async def _say_hello(self) -> None:
        device = self.device
        await self.line.mention(
            wire.Hello(
                link=device.link,
                table=device.table,
                at=_now(),
                controller="conformance",
                software=software_identity.version(),
                software_hash=software_identity.software_hash(),
                manufacturer=software_identity.MANUFACTURER,
                game=device.game,
                controls="nexus",
                version=device.version,
                paytable=device.paytable,
                last_round=0,
            )
        )

    async def _hear(self, message: AnyDownlink) -> None:
        self.heard.append(message)

    async def welcome(self) -> Welcome | None:
        """Wait for the welcome, repeating the hello until it arrives, as tables do."""
        deadline, welcome = time.monotonic() + self.seconds, None
        while welcome is None and time.monotonic() < deadline:
            welcome = await self._first(
                lambda: [message for message in self.heard if isinstance(message, Welcome)],
                within=min(_HELLO_SECONDS, self.seconds),
            )
            if welcome is None:
                await self._say_hello()
        self.number = welcome.last_round if welcome else 0
        return welcome

    async def signs_on(self) -> bool:
        """Check that the PIN is accepted and a wrong PIN is refused."""
        device = self.device
        request = wire.SignOn(
            link=device.link, table=device.table, at=_now(), badge=device.badge, pin=device.pin
        )
        wrong = await self.line.ask(msgspec.structs.replace(request, pin=WRONG_PIN))
        right = await self.line.ask(request)
        assert isinstance(wrong, SignedOn)
        assert isinstance(right, SignedOn)
        self.sign_on = right.sign_on
        return bool(right.sign_on) and not wrong.sign_on

    async def snapshot(self, *, after: int = -1) -> MeterSnapshot | None:
        """Wait for a snapshot newer than an entry."""
        return await self._first(
            lambda: [
                message
                for message in self.heard
                if isinstance(message, MeterSnapshot) and message.entry > after
            ][::-1]
        )

    def round(self, number: int) -> wire.RoundStarted:
        """Build a round of three seats."""
        device = self.device
        return wire.RoundStarted(
            link=device.link,
            table=device.table,
            at=_now(),
            round=number,
            step=0,
            sign_on=self.sign_on,
            wager=device.wager,
            seats=(1, 2, 3),
            version=device.version,
        )

    async def say(self, message: wire.RoundMessage) -> bool:
        """Publish; return whether the store accepted it."""
        acknowledged = await self.client.jetstream().publish(
            subject_of(message), wire.encode(message), stream=FELT, timeout=self.seconds
        )
        return not acknowledged.duplicate

    async def end(self, number: int) -> bool:
        """Publish the end of a round without payouts."""
        return await self.say(self.round(number).ended(at=_now()))

    async def _first(self, find: Callable[[], list[T]], within: float | None = None) -> T | None:
        deadline = time.monotonic() + (self.seconds if within is None else within)
        while time.monotonic() < deadline:
            if matches := find():
                return matches[0]
            await asyncio.sleep(0.02)
        return None


async def play_device(
    client: Client, *devices: DeviceIdentity, other_table: str = "", seconds: float = SECONDS
) -> list[Check]:
    """Run the test: hello, rounds, duplicates, an old number, garbage, another table's subject.

    For a table with several jackpots, a device on each link plays the same rounds with one sign-on.
    """
    played = [ConformanceDevice(client, device, seconds=seconds) for device in devices]
    for player in played:
        await player.open()
    met = [await _of_hello(player) for player in played]
    checks = of_all_links(
        {player.device.link: link_checks for player, (link_checks, _) in zip(played, met, strict=True)}
    )
    snapshots = [first for _, first in met if first is not None]
    if not is_conformant(checks):
        return checks
    checks.append(await _of_sign_on(played[0]))
    number = 1 + max(player.number for player in played)
    for player in played:
        player.sign_on = played[0].sign_on
    rounds = await asyncio.gather(
        *(_of_rounds(*pair, number) for pair in zip(played, snapshots, strict=True))
    )
    checks += of_all_links(
        {player.device.link: link_checks for player, link_checks in zip(played, rounds, strict=True)}
    )
    checks.append(await _of_rights(played[0], other_table))
    return checks


async def _of_hello(played: ConformanceDevice) -> tuple[list[Check], MeterSnapshot | None]:
    welcome = await played.welcome()
    first = await played.snapshot()
    statement = f"sends the meters within {played.seconds:g} seconds"
    return [
        check("welcome", "answers a hello", "GEN-07", passed=welcome is not None),
        check(
            "let in",
            "accepts the device, or gives the reason for refusing it",
            "WA-31",
            passed=welcome.accepted if welcome else None,
            detail=welcome.why if welcome else "",
        ),
        check("meters", statement, "GEN-12", passed=first is not None),
    ], first


async def _of_sign_on(played: ConformanceDevice) -> Check:
    try:
        passed, detail = await played.signs_on(), ""
    except ProblemsError as error:
        passed, detail = False, error.problems[0].what
    statement = "answers badge and PIN with a sign-on, and a wrong PIN without one"
    return check("sign-on", statement, "GL-10", passed=passed, detail=detail)


async def _of_rounds(played: ConformanceDevice, first: MeterSnapshot, number: int) -> list[Check]:
    started = played.round(number)
    new = await played.say(started)
    began = time.monotonic()
    second = await played.snapshot(after=first.entry)
    took = time.monotonic() - began
    await played.say(started)
    await played.client.jetstream().publish(
        uplink_subject(played.device.link, played.device.table, "round"), b"rubbish", timeout=played.seconds
    )
    await played.end(number)
    await played.say(played.round(number + 1))
    third = await played.snapshot(after=second.entry if second else first.entry)
    await asyncio.sleep(2.0)
    newest = await played.snapshot() or third
    once, twice = _growth(first, second), _growth(second, newest)
    await played.end(number + 1)
    return [
        check("acknowledged", "stores a round and acknowledges it", "GL-12", passed=new),
        check(
            "booked",
            f"the meters rise within {played.seconds:g} seconds, or a house jackpot stays as posted",
            "GL-12",
            passed=second is not None and (once > 0) == played.device.feeds_meters,
            detail=f"{took * 1000:.0f} ms",
        ),
        check(
            "once",
            "a round that is sent again is not counted again",
            "GL-12",
            passed=twice == once if second and newest else None,
            detail=f"{once} then {twice} millionths",
        ),
        check("rubbish", "continues after a message that it cannot read", "GL-04", passed=third is not None),
    ]


async def _of_rights(played: ConformanceDevice, other_table: str) -> Check:
    """Check that the device cannot publish on another table's subject."""
    passed: bool | None = None
    if other_table:
        passed = await _is_refused(
            lambda: played.client.jetstream().publish(
                uplink_subject(played.device.link, other_table, "round"), b"rubbish", timeout=2.0
            )
        )
    return check("rights", "refuses a device's message on another table's subject", "GEN-07", passed=passed)


async def _is_refused(attempt: Callable[[], Awaitable[object]]) -> bool:
    try:
        await attempt()
    except (NatsError, TimeoutError):
        return True
    return False


def _growth(before: MeterSnapshot | None, after: MeterSnapshot | None) -> Micros:
    return sum(after.meters.values()) - sum(before.meters.values()) if before and after else 0


def _now() -> int:
    return time.time_ns() // 1_000
