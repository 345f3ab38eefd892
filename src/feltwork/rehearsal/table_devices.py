"""Table controllers under rehearsal: real controllers over NATS, each press awaited in the books."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.errors import NotFoundError

from feltwork.compliance.floor import Floor, progressive_link
from feltwork.floor.house import PIN, badge_of
from feltwork.problem import ProblemsError
from feltwork.rehearsal.refusal import StepRefusal, StepRefusedError, refused
from feltwork.rehearsal.service_client import ServiceClient
from feltwork.rehearsal.state import AwardState, RoundState
from feltwork.rehearsal.step import Step
from feltwork.table.controller import Controller, Seating
from feltwork.table.line import TableLine
from feltwork.table.policy import policy_of
from feltwork.wire.rights import names_on
from feltwork.wire.streams import FELT, PARKED, consumer_name
from feltwork.wire.subjects import meters_of, token, told_to
from feltwork.wire.told import MeterSnapshot, Refused, decode_told

_POLL_SECONDS = 0.004
_TIMEOUT_SECONDS = 10.0
_WHY = "Feltwork-Why"


@dataclass(kw_only=True)
class RehearsedDevice:
    """One controller with its connection and what the books refused to it."""

    client: Client
    controller: Controller
    running: asyncio.Task[None]
    refusals: list[Refused] = field(default_factory=list)

    @property
    def jetstream(self) -> JetStreamContext:
        """The log that the controller writes to."""
        return self.client.jetstream()


class TableDevices:
    """The controllers of a floor: one for each link on a layout."""

    def __init__(self, url: str, floor: Floor, service: ServiceClient) -> None:
        self._url = url
        self._floor = floor
        self._service = service
        self._links = {link.id: link for link in floor.links}
        self._devices: dict[tuple[str, str], RehearsedDevice] = {}
        #: Who is signed on where: table and person -> sign-on.
        self._sign_ons: dict[tuple[str, str], str] = {}

    async def close(self) -> None:
        """Shut every controller down."""
        for link, table in list(self._devices):
            await self._close(link, table)

    async def shut_down(self, table: str) -> None:
        """Shut the controllers of one table down."""
        for link, name in list(self._devices):
            if name == table:
                await self._close(link, name)

    def name_on(self, link: str, table: str) -> str:
        """The name under which a table plays a link on the wire."""
        known = self._floor.table_by_id.get(table)
        return names_on(self._floor, known).get(link, table) if known else table

    # --- buttons ---

    async def start(
        self, link: str, table: str, by: str, covered: Sequence[int], players: Sequence[int]
    ) -> None:
        """Cover the sensors and press START GAME."""
        device = await self._device(link, table)
        await self._hear_meters(link, device)
        await device.controller.seat(Seating(covered=frozenset(covered), players=frozenset(players)))
        sign_on = await self._sign_on(device, table, by)
        await self._press(link, device, lambda: device.controller.start(by=sign_on))

    async def hand(self, link: str, table: str, step: Step) -> None:
        """Press a hand button."""
        device = await self._device(link, table)
        await self._hear_awards(link, table, device)
        by = await self._sign_on(device, table, step.by[0])

        async def press() -> object:
            return await device.controller.press(seat=step.seat, hand=step.hand, by=by, cards=step.cards)

        await self._press(link, device, press)

    async def correct(self, link: str, table: str, step: Step) -> None:
        """Correct one locked seat."""
        device = await self._device(link, table)
        by = await self._sign_on(device, table, step.by[0])

        async def correct() -> object:
            return await device.controller.correct(seat=step.seat, wagered=step.wagered, by=by)

        await self._press(link, device, correct)

    async def turn_key(self, link: str, table: str, by: str, to: Literal["JPH", "RUN"]) -> None:
        """Turn the key of an Aquarius table."""
        device = await self._device(link, table)
        await self._hear_awards(link, table, device)
        position = "jackpot" if to == "JPH" else "run"
        sign_on = await self._sign_on(device, table, by)
        await self._press(link, device, lambda: device.controller.turn_key(to=position, by=sign_on))

    async def end(self, link: str, table: str, by: str) -> None:
        """Press END GAME."""
        device = await self._device(link, table)
        await self._hear_awards(link, table, device)
        sign_on = await self._sign_on(device, table, by)
        await self._press(link, device, lambda: device.controller.end(by=sign_on))

    async def misdeal(self, link: str, table: str, step: Step) -> None:
        """Void the round."""
        device = await self._device(link, table)
        await self._hear_awards(link, table, device)
        reason, by = step.reason or "as rehearsed", await self._sign_on(device, table, step.by[0])
        await self._press(link, device, lambda: device.controller.misdeal(reason=reason, by=by))

    async def round_at(self, link: str, table: str) -> RoundState:
        """The round as the controller shows it, once it has heard what the pit did."""
        device = await self._device(link, table)
        await self._hear_awards(link, table, device)
        round_ = device.controller.round
        return RoundState(
            number=round_.number, seats=round_.seats, hands=dict(round_.hands), is_open=round_.phase != "idle"
        )

    async def _sign_on(self, device: RehearsedDevice, table: str, person: str) -> str:
        """The sign-on of a person at a table, with badge and PIN the first time."""
        if (table, person) not in self._sign_ons:
            try:
                told = await device.controller.sign_on(badge=badge_of(person), pin=PIN)
            except ProblemsError as error:
                raise _step_refused(error) from error
            self._sign_ons[table, person] = told.sign_on
        return self._sign_ons[table, person]

    # --- waiting ---

    async def _press(
        self, link: str, device: RehearsedDevice, press: Callable[[], Awaitable[object]]
    ) -> None:
        """Press, and wait until the bookkeeper has dealt with every message."""
        device.refusals.clear()
        parked = await _parked(device.jetstream)
        try:
            await press()
        except ProblemsError as error:
            raise _step_refused(error) from error
        await self._settle(link, device)
        if device.refusals:
            told = device.refusals[0]
            rule = told.requirement or "input"
            raise StepRefusedError(StepRefusal(rule=rule, what=told.what, remedy=told.remedy))
        if await _parked(device.jetstream) > parked:
            raise StepRefusedError(await _why_parked(device.jetstream))

    async def _settle(self, link: str, device: RehearsedDevice) -> None:
        js = device.jetstream
        last = (await js.get_last_msg(FELT, f"felt.{token(link)}.>")).seq or 0

        async def is_settled() -> bool:
            info = await js.consumer_info(FELT, consumer_name(link))
            return info.ack_floor is not None and info.ack_floor.stream_seq >= last

        if not await _until(is_settled):
            what = "The bookkeeper has not booked the message."
            raise refused("GEN-11", what, "Look at the messages that the bookkeeper is waiting for.")
        await device.client.flush()

    async def _hear_meters(self, link: str, device: RehearsedDevice) -> None:
        """Wait until the controller shows the link as the books have it."""
        entry = (await self._service.link(link))["entry"]

        async def is_current() -> bool:
            snapshot = device.controller.snapshot
            return snapshot is not None and snapshot.entry >= entry

        await _until(is_current)

    async def _hear_awards(self, link: str, table: str, device: RehearsedDevice) -> None:
        """Wait until the controller has heard what became of the claims of its round."""
        controller = device.controller
        name = self.name_on(link, table)
        awards = [
            award
            for award in await self._service.awards(link, in_full=False)
            if (award.table, award.round) == (name, controller.round.number)
        ]

        async def is_heard() -> bool:
            return all(_is_heard(controller, award) for award in awards)

        if awards and controller.round.phase != "idle":
            await _until(is_heard)

    # --- connections ---

    async def _device(self, link: str, table: str) -> RehearsedDevice:
        if (link, table) not in self._devices:
            self._devices[link, table] = await self._open(link, table)
        return self._devices[link, table]

    async def _open(self, link: str, table: str) -> RehearsedDevice:
        chosen = self._links.get(link)
        if chosen is None:
            what = f"The floor file has no progressive link {link}."
            raise refused("GEN-06", what, f"Choose from: {', '.join(self._links)}.")
        client = await nats.connect(self._url, name=table)
        known = self._floor.table_by_id.get(table, self._floor.tables[0])
        controller = Controller(
            TableLine(client, link=link, table=self.name_on(link, table)),
            progressive_link(self._floor, chosen),
            policy_of(self._floor, chosen, on=datetime.now(tz=UTC).date()),
            game=known.game.name,
        )
        device = RehearsedDevice(
            client=client, controller=controller, running=asyncio.create_task(asyncio.sleep(0))
        )

        async def hear(message: Msg) -> None:
            told = decode_told(message.data)
            if isinstance(told, Refused):
                device.refusals.append(told)

        await client.subscribe(f"{told_to(link, self.name_on(link, table))}.>", cb=hear)
        await controller.open()
        device.running = asyncio.create_task(controller.run(every_seconds=0.5))
        await self._welcome(link, device)
        return device

    async def _welcome(self, link: str, device: RehearsedDevice) -> None:
        """Wait until the books have answered, and take the meters that they told before."""
        controller = device.controller

        async def is_welcome() -> bool:
            return controller.welcome is not None

        await _until(is_welcome)
        if controller.snapshot is None:
            try:
                last = await device.jetstream.get_last_msg("METERS", meters_of(link), direct=True)
            except NotFoundError:
                return
            told = decode_told(last.data or b"")
            if isinstance(told, MeterSnapshot):
                controller.snapshot = told

    async def _close(self, link: str, table: str) -> None:
        device = self._devices.pop((link, table))
        device.running.cancel()
        await asyncio.gather(device.running, return_exceptions=True)
        await device.controller.close()
        await device.client.close()


def _step_refused(error: ProblemsError) -> StepRefusedError:
    first = error.problems[0]
    rule = first.requirement or "input"
    return StepRefusedError(StepRefusal(rule=rule, what=first.what, remedy=first.remedy))


def _is_heard(controller: Controller, award: AwardState) -> bool:
    if award.status == "claimed":
        return True
    if award.status in ("confirmed", "paid"):
        return award.seat in controller.round.confirmed
    return award.id not in controller.claims.values()


async def _parked(js: JetStreamContext) -> int:
    return (await js.stream_info(PARKED)).state.messages


async def _why_parked(js: JetStreamContext) -> StepRefusal:
    info = await js.stream_info(PARKED)
    message = await js.get_msg(PARKED, info.state.last_seq)
    why = (message.headers or {}).get(_WHY, "The message was parked.")
    return StepRefusal(rule="GL-12", what=why, remedy="Look at the message in PARKED.")


async def _until(is_true: Callable[[], Awaitable[bool]]) -> bool:
    """Poll until something is true; return false after the timeout."""
    deadline = asyncio.get_running_loop().time() + _TIMEOUT_SECONDS
    while not await is_true():
        if asyncio.get_running_loop().time() > deadline:
            return False
        await asyncio.sleep(_POLL_SECONDS)
    return True
