"""Table controllers under rehearsal: real controllers over NATS, each press awaited in the books."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Literal

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.errors import NotFoundError

from feltwork.problem import ProblemsError
from feltwork.rehearsal.refusal import StepRefusal, StepRefusedError, refused
from feltwork.rehearsal.service_client import ServiceClient
from feltwork.rehearsal.state import AwardState, Rounds, RoundState
from feltwork.rehearsal.step import Step
from feltwork.simulation.stage import PIN, badge_of
from feltwork.site.compliance.floor import Floor, link_from_floor
from feltwork.site.progressive.round import TableRound
from feltwork.site.table.controller import Controller
from feltwork.site.table.offline_policy import policy_of
from feltwork.site.table.presence import SensorState
from feltwork.site.table.publisher import TablePublisher
from feltwork.site.table.table_controller import TableController
from feltwork.site.wire.downlink import MeterSnapshot, Refused, decode_downlink
from feltwork.site.wire.streams import FELT, PARKED, consumer_name
from feltwork.site.wire.subjects import downlink_prefix, meters_of, token

_POLL_SECONDS = 0.004
#: The longest pause between polls, to spare a busy machine.
_LONGEST_POLL_SECONDS = 0.05
_TIMEOUT_SECONDS = 30.0
_WHY = "Feltwork-Why"


@dataclass(kw_only=True)
class RehearsedDevice:
    """One controller with its connection and the refusals from the books."""

    client: Client
    controller: TableController
    running: asyncio.Task[None]
    refusals: list[Refused] = field(default_factory=list)

    @property
    def jetstream(self) -> JetStreamContext:
        """The log that the controller writes to."""
        return self.client.jetstream()

    def row(self, link: str) -> Controller:
        """The row of sensors and buttons of a link."""
        if link not in self.controller.rows:
            what = f"The table is not on link {link}."
            raise refused("GEN-06", what, f"Choose from: {', '.join(self.controller.rows)}.")
        return self.controller.rows[link]


class TableDevices:
    """The controllers of a floor: one for each table, with a row for each jackpot."""

    def __init__(self, url: str, floor: Floor, service: ServiceClient) -> None:
        self._url = url
        self._floor = floor
        self._service = service
        self._links = {link.id: link for link in floor.links}
        self._devices: dict[str, RehearsedDevice] = {}
        #: Table and person -> sign-on.
        self._sign_ons: dict[tuple[str, str], str] = {}
        #: Tables whose chips were put on the sensors before START GAME.
        self._sensors_set: set[str] = set()

    async def close(self) -> None:
        """Shut every controller down."""
        for table in list(self._devices):
            await self.shut_down(table)

    async def shut_down(self, table: str) -> None:
        """Shut the controller of one table down."""
        if table in self._devices:
            device = self._devices.pop(table)
            device.running.cancel()
            await asyncio.gather(device.running, return_exceptions=True)
            await device.controller.close()
            await device.client.close()

    # --- buttons ---

    async def sensors(self, table: str, by: str, wagers: Mapping[str, Sequence[int]]) -> None:
        """Cover these sensors and no others."""
        device = await self._device(table, wagers)
        await self._sign_on(device, table, by)
        self._sensors_set.add(table)
        await device.controller.seat(
            {
                link: SensorState(covered=frozenset(wagers.get(link, ())), players=row.seating.players)
                for link, row in device.controller.rows.items()
            }
        )

    async def start(
        self, table: str, by: str, wagers: Mapping[str, Sequence[int]], players: Sequence[int] | None
    ) -> None:
        """Press START GAME, over the chips that a step put on the sensors or else over these."""
        device = await self._device(table, wagers)
        sign_on = await self._sign_on(device, table, by)
        for link in device.controller.rows:
            await self._hear_meters(link, device)
        covered = {
            link: row.seating.covered if table in self._sensors_set else frozenset(wagers.get(link, ()))
            for link, row in device.controller.rows.items()
        }
        seated = frozenset().union(*covered.values()) if players is None else frozenset(players)
        await device.controller.seat(
            {link: SensorState(covered=seats, players=seated) for link, seats in covered.items()}
        )
        await self._press(device, lambda: device.controller.start(by=sign_on, wagers=wagers))
        self._sensors_set.discard(table)

    async def hand(self, link: str, table: str, step: Step) -> None:
        """Press a hand button."""
        device = await self._device(table)
        row = device.row(link)
        by = await self._sign_on(device, table, step.by[0])

        async def press() -> object:
            return await row.press(
                seat=step.seat, hand=step.hand, by=by, cards=step.cards, winners=step.winners
            )

        await self._press(device, press)

    async def fold(self, link: str, table: str, step: Step) -> None:
        """Mark a seat as folded."""
        device = await self._device(table)
        row = device.row(link)
        by = await self._sign_on(device, table, step.by[0])
        await self._press(device, lambda: row.fold(seat=step.seat, folded=step.folded, by=by))

    async def correct(self, link: str, table: str, step: Step) -> None:
        """Correct one locked seat."""
        device = await self._device(table)
        row = device.row(link)
        by = await self._sign_on(device, table, step.by[0])
        supervisor = await self._sign_on(device, table, step.by[1]) if len(step.by) > 1 else ""

        async def correct() -> object:
            return await row.correct(seat=step.seat, wagered=step.wagered, by=by, supervisor=supervisor)

        await self._press(device, correct)

    async def turn_key(self, link: str, table: str, by: str, to: Literal["JPH", "RUN"]) -> None:
        """Turn the key of an Aquarius table."""
        device = await self._device(table)
        row = device.row(link)
        if row.claims:
            await _hear_awards(row, await self._service.awards(link))
        position = "jackpot" if to == "JPH" else "run"
        sign_on = await self._sign_on(device, table, by)
        await self._press(device, lambda: row.turn_key(to=position, by=sign_on))

    async def end(self, table: str, by: str) -> None:
        """Press END GAME."""
        device = await self._device(table)
        sign_on = await self._sign_on(device, table, by)
        await self._press(device, lambda: device.controller.end(by=sign_on))

    async def misdeal(self, table: str, step: Step) -> None:
        """Void the round."""
        device = await self._device(table)
        reason, by = step.reason or "as rehearsed", await self._sign_on(device, table, step.by[0])
        await self._press(device, lambda: device.controller.misdeal(reason=reason, by=by))

    async def rounds_at(self, table: str, awards: Mapping[str, Sequence[AwardState]]) -> Rounds:
        """Return the rounds as the controller shows them, once it has received the pit's decisions."""
        device = await self._device(table)
        for link, link_awards in awards.items():
            await _hear_awards(device.row(link), link_awards)
        return {link: _shown(device.row(link).round) for link in awards}

    async def _sign_on(self, device: RehearsedDevice, table: str, person: str) -> str:
        """Return the sign-on of a person at a table; sign on with badge and PIN the first time."""
        if (table, person) not in self._sign_ons:
            try:
                reply = await device.controller.sign_on(badge=badge_of(person), pin=PIN)
            except ProblemsError as error:
                raise _step_refused(error) from error
            self._sign_ons[table, person] = reply.sign_on
        return self._sign_ons[table, person]

    # --- waiting ---

    async def _press(self, device: RehearsedDevice, press: Callable[[], Awaitable[object]]) -> None:
        """Press, and wait until the bookkeeper has processed every message."""
        device.refusals.clear()
        parked = await _parked(device.jetstream)
        try:
            await press()
        except ProblemsError as error:
            raise _step_refused(error) from error
        for link in device.controller.rows:
            await self._settle(link, device)
        if device.refusals:
            refusal = device.refusals[0]
            rule = refusal.requirement or "input"
            raise StepRefusedError(StepRefusal(rule=rule, what=refusal.what, remedy=refusal.remedy))
        if await _parked(device.jetstream) > parked:
            raise StepRefusedError(await _why_parked(device.jetstream))

    async def _settle(self, link: str, device: RehearsedDevice) -> None:
        js = device.jetstream
        try:
            last = (await js.get_last_msg(FELT, f"felt.{token(link)}.>")).seq or 0
        except NotFoundError:
            return  # nothing has been published on this link yet

        async def is_settled() -> bool:
            info = await js.consumer_info(FELT, consumer_name(link))
            return info.ack_floor is not None and info.ack_floor.stream_seq >= last

        if not await _until(is_settled):
            what = "The bookkeeper has not booked the message."
            raise refused(
                "GEN-11", what, "Check that the bookkeeper is running and which messages it has not booked."
            )
        await device.client.flush()

    async def _hear_meters(self, link: str, device: RehearsedDevice) -> None:
        """Wait until the controller has a snapshot of the link's last entry."""
        entry = (await self._service.link(link))["entry"]

        async def is_current() -> bool:
            snapshot = device.row(link).snapshot
            return snapshot is not None and snapshot.entry >= entry

        await _until(is_current)

    # --- connections ---

    async def _device(self, table: str, links: Iterable[str] = ()) -> RehearsedDevice:
        """Return the controller of a table, or of only those ``links`` that the floor lacks at the table."""
        at_table = [name for name, link in self._links.items() if table in link.tables]
        stray = [link for link in links if link not in at_table]
        name = "/".join([table, *stray])
        if name not in self._devices:
            self._devices[name] = await self._open(table, stray or at_table)
        return self._devices[name]

    async def _open(self, table: str, links: Sequence[str]) -> RehearsedDevice:
        if not links or not set(links) <= set(self._links):
            what = f"The floor file has no link {', '.join(links)} at table {table}."
            raise refused("GEN-06", what, f"Choose from: {', '.join(self._links)}.")
        client = await nats.connect(self._url, name=table)
        known = self._floor.table_by_id.get(table, self._floor.tables[0])
        today = datetime.now(tz=UTC).date()
        controller = TableController(
            {
                link: Controller(
                    TablePublisher(client, link=link, table=table),
                    link_from_floor(self._floor, self._links[link]),
                    policy_of(self._floor, self._links[link], on=today),
                    game=known.game.name,
                )
                for link in links
            }
        )
        device = RehearsedDevice(
            client=client, controller=controller, running=asyncio.create_task(asyncio.sleep(0))
        )

        async def hear(message: Msg) -> None:
            downlink = decode_downlink(message.data)
            if isinstance(downlink, Refused):
                device.refusals.append(downlink)

        for link in controller.rows:
            await client.subscribe(f"{downlink_prefix(link, table)}.>", cb=hear)
        await controller.open()
        device.running = asyncio.create_task(controller.run(every_seconds=0.5))
        for link in controller.rows:
            await self._welcome(link, device)
        return device

    async def _welcome(self, link: str, device: RehearsedDevice) -> None:
        """Wait for the books' welcome, and load the last snapshot if none has arrived."""
        row = device.row(link)

        async def is_welcome() -> bool:
            return row.welcome is not None

        await _until(is_welcome)
        if row.snapshot is None:
            try:
                last = await device.jetstream.get_last_msg("METERS", meters_of(link), direct=True)
            except NotFoundError:
                return
            downlink = decode_downlink(last.data or b"")
            if isinstance(downlink, MeterSnapshot):
                row.snapshot = downlink


def _step_refused(error: ProblemsError) -> StepRefusedError:
    first = error.problems[0]
    rule = first.requirement or "input"
    return StepRefusedError(StepRefusal(rule=rule, what=first.what, remedy=first.remedy))


def _shown(round_: TableRound) -> RoundState:
    return RoundState(
        number=round_.number, seats=round_.seats, hands=dict(round_.hands), is_open=round_.phase != "idle"
    )


async def _hear_awards(row: Controller, awards: Sequence[AwardState]) -> None:
    """Wait until the controller has received the outcomes of its round's claims."""
    if row.round.phase == "idle" or not (row.claims or row.round.confirmed):
        return
    place = (row.round.table, row.round.number)
    await _until(partial(_are_heard, row, [award for award in awards if (award.table, award.round) == place]))


async def _are_heard(row: Controller, awards: Sequence[AwardState]) -> bool:
    return all(_is_heard(row, award) for award in {award.seat: award for award in awards}.values())


def _is_heard(row: Controller, award: AwardState) -> bool:
    if award.status == "claimed":
        return True
    if award.status in ("confirmed", "paid", "confiscated"):
        return award.seat in row.round.confirmed
    if award.status == "reversed":
        return award.seat not in {*row.round.confirmed, *row.round.hands}
    return award.id not in row.claims.values()


async def _parked(js: JetStreamContext) -> int:
    return (await js.stream_info(PARKED)).state.messages


async def _why_parked(js: JetStreamContext) -> StepRefusal:
    info = await js.stream_info(PARKED)
    message = await js.get_msg(PARKED, info.state.last_seq)
    why = (message.headers or {}).get(_WHY, "The message was parked.")
    return StepRefusal(rule="GL-12", what=why, remedy="Look at the message in PARKED.")


async def _until(is_true: Callable[[], Awaitable[bool]]) -> bool:
    """Poll until a condition holds; return false after the timeout."""
    deadline = asyncio.get_running_loop().time() + _TIMEOUT_SECONDS
    seconds = _POLL_SECONDS
    while not await is_true():
        if asyncio.get_running_loop().time() > deadline:
            return False
        await asyncio.sleep(seconds)
        seconds = min(seconds * 1.5, _LONGEST_POLL_SECONDS)
    return True
