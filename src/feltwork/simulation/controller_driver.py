"""Drives a real table controller with a simulated table."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeAlias

from nats.aio.client import Client
from nats.errors import Error as NatsError

from feltwork.problem import ProblemsError
from feltwork.simulation.dealers import hands_to_name, on_table
from feltwork.simulation.simulated_table import DealtRound, SimulatedTable
from feltwork.simulation.stage import PIN
from feltwork.simulation.tally import Tally
from feltwork.site.progressive.facts import Instant
from feltwork.site.progressive.link import Link
from feltwork.site.table.controller import Controller
from feltwork.site.table.offline_policy import TablePolicy, wall_clock
from feltwork.site.table.presence import SensorState
from feltwork.site.table.publisher import TablePublisher
from feltwork.site.table.table_controller import TableController
from feltwork.site.wire.downlink import SignedOn
from feltwork.site.wire.uplink import AnyUplink, RoundMessage
from feltwork.titles.cards.card import write_cards
from feltwork.titles.meter_pays import sight_of
from feltwork.titles.round import Round

#: Opens the connection of a table.
Connect: TypeAlias = Callable[[str], Awaitable[Client]]
_LOOK_SECONDS = 0.05
_AGAIN_SECONDS = 0.5
_HANDSHAKE_SECONDS = 2.0
_RENEW: Instant = 3_600_000_000


class CountingPublisher(TablePublisher):
    """A publisher that keeps a tally."""

    tally: Tally

    async def say(self, message: RoundMessage, *, within: float = 10.0) -> None:
        """Publish, and record the message before and after."""
        assert isinstance(message, AnyUplink)
        self.tally.sent(message)
        await super().say(message, within=within)
        self.tally.acknowledged(message)


@dataclass(frozen=True, slots=True)
class Hit:
    """A hit to be dealt."""

    link: str
    level: str
    #: Whether the simulated pit ignores its claim.
    left: bool = False


@dataclass(kw_only=True)
class ControllerDriver:
    """A table that plays until stopped, reconnecting as needed."""

    simulated: SimulatedTable
    #: Its links, with a sensor row for each.
    links: Mapping[str, Link]
    policies: Mapping[str, TablePolicy]
    connect: Connect
    tally: Tally
    #: The badges of the dealer and the supervisor.
    dealer: str
    supervisor: str
    #: Seconds from one START GAME to the next.
    pace_seconds: float
    site_domain: str = ""
    #: The error of its clock, in microseconds.
    clock_offset: Instant = 0
    #: The rounds that it has played.
    rounds: int = 0
    #: Hits to be dealt next.
    wanted: list[Hit] = field(default_factory=list)
    #: Rounds whose claims the simulated pit ignores.
    left: set[int] = field(default_factory=set)
    #: The controller id, the same across reconnects.
    _controller: str = field(default_factory=lambda: secrets.token_hex(8))
    #: Sign-ons by badge.
    _sign_ons: dict[str, SignedOn] = field(default_factory=dict)
    _stopping: asyncio.Event = field(default_factory=asyncio.Event)
    _awake: asyncio.Event = field(default_factory=asyncio.Event)
    _dealt: DealtRound | None = None
    _is_left: bool = False
    _number: int = 0

    async def run(self, *, rounds: int | None = None) -> None:
        """Play, restarting a failed controller from the store."""
        while not self._over(rounds):
            try:
                await self._session(rounds)
            except (ProblemsError, NatsError, OSError, TimeoutError):
                await asyncio.sleep(_AGAIN_SECONDS)

    def stop(self) -> None:
        """Stop after the current round."""
        self._stopping.set()
        self._awake.set()

    @property
    def is_left(self) -> bool:
        """Whether a hit left to a person is pending or waiting."""
        return self._is_left or any(hit.left for hit in self.wanted)

    def want(self, hit: Hit) -> None:
        """Deal a hit in the next round."""
        self.wanted.append(hit)
        self._awake.set()

    def _over(self, rounds: int | None) -> bool:
        idle = self._dealt is None
        return idle and (self._stopping.is_set() or (rounds is not None and self.rounds >= rounds))

    async def _connected(self) -> Client | None:
        """Connect; a table stopped between rounds does not wait for NATS."""
        connecting = asyncio.ensure_future(self.connect(self.simulated.table.id))
        stopped = asyncio.create_task(self._stopping.wait())
        awaited = {connecting, stopped} if self._dealt is None else {connecting}
        try:
            await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
            # Let a handshake that has begun finish, rather than leave it open.
            await asyncio.wait({connecting}, timeout=_HANDSHAKE_SECONDS)
            return connecting.result() if connecting.done() else None
        finally:
            connecting.cancel()
            stopped.cancel()

    async def _session(self, rounds: int | None) -> None:
        client = await self._connected()
        if client is None:
            return
        try:
            controller = TableController({link: self._row(client, link) for link in self.links})
            await controller.open()
            tasks = [
                asyncio.create_task(controller.run(every_seconds=1.0)),
                asyncio.create_task(self._rounds(controller, rounds)),
            ]
            try:
                ended_tasks, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in ended_tasks:
                    task.result()
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            with suppress(NatsError, OSError):
                await client.close()

    def _row(self, client: Client, link: str) -> Controller:
        table = self.simulated.table
        line = CountingPublisher(client, link=link, table=table.id, site_domain=self.site_domain)
        line.tally = self.tally
        return Controller(
            line, self.links[link], self.policies[link], game=table.game.name, clock=self._clock
        )

    async def _rounds(self, controller: TableController, rounds: int | None) -> None:
        if controller.playing:
            await self._finish(controller)
        while not self._over(rounds):
            await self._play(controller)

    async def _play(self, controller: TableController) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        if self._dealt is None:
            hit = self.wanted.pop(0) if self.wanted else None
            self._is_left = hit is not None and hit.left
            self._dealt = self.simulated.next(force=(hit.link, hit.level) if hit else None)
        dealt = self._dealt
        if self._number == 0 or not controller.has_begun(self._number):
            sensors = {
                name: SensorState(
                    covered=frozenset(dealt.covered(link.jackpot)), players=frozenset(dealt.players)
                )
                for name, link in self.links.items()
            }
            await controller.seat(sensors)
            if not await self._start(controller):
                self._dealt = None
                return
        if self._is_left:
            self.left.add(self._number)
        await self._finish(controller)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._awake.wait(), max(0.0, began + self.pace_seconds - loop.time()))
        self._awake.clear()

    async def _start(self, controller: TableController) -> bool:
        """Press START GAME until it is accepted or the table is stopped."""
        while True:
            try:
                await controller.start(by=await self._by(controller, self.dealer))
            except ProblemsError:
                if controller.playing:
                    self._number = controller.number
                    raise  # the round has started; only its acknowledgment is missing
                if self._stopping.is_set():
                    return False
                await asyncio.sleep(4 * _LOOK_SECONDS)
            else:
                self._number = controller.number
                return True

    async def _finish(self, controller: TableController) -> None:
        """Enter the hands, wait for confirmations, end the round; after a crash, finish it."""
        dealt = self._dealt if controller.number == self._number else None
        if not controller.playing:
            pass  # it has ended; only the acknowledgment was missing
        elif dealt is not None and dealt.misdealt:
            by = await self._by(controller, self.supervisor)
            await controller.misdeal(reason="a wrong number of cards", by=by)
        else:
            for row in controller.playing:
                await self._name_hands(row, dealt)
            await controller.end(by=await self._by(controller, self.dealer))
        self._dealt, self._number, self._is_left = None, 0, False
        self.rounds += 1

    async def _name_hands(self, controller: Controller, dealt: DealtRound | None) -> None:
        buttons = list(dealt.presses.get(controller.round.link.id, ())) if dealt else []
        hands = {press.seat: press.hand for press in buttons}
        if controller.round.hands:
            buttons = []  # after a crash, press only what is missing
        for press in buttons:
            # A seat that shares a prize may have been pressed with another.
            if not press.hand == hands[press.seat] == controller.round.hands.get(press.seat):
                await self._press(controller, dealt, press.seat, press.hand)
        while True:
            for seat, hand in hands.items():
                if controller.round.hands.get(seat) != hand:
                    await self._press(controller, dealt, seat, hand)
            if not controller.round.claims and controller.round.phase in ("playing", "idle"):
                return
            await self._turn_key(controller)
            await asyncio.sleep(_LOOK_SECONDS)

    async def _press(self, controller: Controller, dealt: DealtRound | None, seat: int, hand: str) -> None:
        cards = cards_seen(dealt.round, controller.round.link, seat, hand) if dealt else ""
        by = await self._by(controller, self.dealer)
        await controller.press(seat=seat, hand=hand, by=by, cards=cards)

    async def _turn_key(self, controller: Controller) -> None:
        """Turn the Aquarius key to JPH for a claim, and back to RUN once it is confirmed."""
        if controller.round.link.controls == "aquarius":
            if controller.round.phase == "claimed":
                await controller.turn_key(to="jackpot", by=await self._by(controller, self.supervisor))
            elif controller.round.phase == "logged":
                await controller.turn_key(to="run", by=await self._by(controller, self.supervisor))

    async def _by(self, controller: Controller | TableController, badge: str) -> str:
        """Get a sign-on, renewing it in its last hour."""
        sign_on = self._sign_ons.get(badge)
        if sign_on is None or sign_on.until - wall_clock() < _RENEW:
            try:
                sign_on = self._sign_ons[badge] = await controller.sign_on(badge=badge, pin=PIN)
            except ProblemsError:
                if sign_on is None:
                    raise
        return sign_on.sign_on

    def _clock(self) -> Instant:
        return wall_clock() + self.clock_offset


def cards_seen(round_: Round, link: Link, number: int, hand: str) -> str:
    """Return the cards that a jackpot looks at for a seat; empty for a wrong button."""
    jackpot = on_table(link)
    if hands_to_name(round_, jackpot).get(number) != hand:
        return ""
    seat = next((seat for seat in round_.seats if seat.number == number), None)
    sight = sight_of(round_, jackpot, seat) if seat else None
    return " / ".join(write_cards(group) for group in sight) if sight else ""
