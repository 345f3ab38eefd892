"""Injects faults by seed, and repairs them."""

import asyncio
import os
import random
import signal
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from feltwork.simulation.devices import SimulatedDevice
from feltwork.simulation.fault_test_cluster import BOOKKEEPERS, PIT, SITE, FaultTestCluster
from feltwork.simulation.floor_runner import CLOCK_SIGNAL
from feltwork.wire.tcp_relay import TcpRelay

#: Seconds between faults.
BETWEEN_SECONDS = (0.4, 1.4)
_HOUR = 3_600_000_000
_JUMPS = (-24 * _HOUR, -_HOUR, -30_000_000, 30_000_000, _HOUR, 24 * _HOUR)


@dataclass(kw_only=True)
class FaultInjector:
    """Injects one fault after the other; a part is repaired before it is broken again."""

    stage: FaultTestCluster
    line: TcpRelay
    devices: Sequence[SimulatedDevice]
    dice: random.Random
    say: Callable[[str], None]
    _happened: Counter[str] = field(default_factory=Counter)
    _busy: set[str] = field(default_factory=set)
    _is_over: bool = False
    _mending: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def kinds(self) -> dict[str, Callable[[], Awaitable[None]]]:
        """All kinds of faults."""
        return {
            "kill_bookkeeper": self._kill_bookkeeper,
            "kill_service": self._kill_service,
            "kill_nats_node": self._kill_node,
            "kill_postgres": self._kill_books,
            "kill_leaf": self._kill_leaf,
            "cut_leaf": self._cut_leaf,
            "kill_tables": self._kill_tables,
            "freeze_bookkeeper": self._freeze_bookkeeper,
            "freeze_nats_node": self._freeze_node,
            "jump_clock": self._jump_clocks,
            "duplicate": self._duplicate,
            "reorder": self._reorder,
        }

    @property
    def faults(self) -> dict[str, int]:
        """Count the faults of each kind."""
        told = {
            "duplicate": sum(device.repeated for device in self.devices),
            "reorder": sum(device.shuffled for device in self.devices),
        }
        return {**self._happened, **told}

    async def run(self, seconds: float) -> None:
        """Inject all kinds in random order until the time is over, then repair."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        deck: list[str] = []
        while loop.time() < until:
            if not deck:
                deck = list(self.kinds)
                self.dice.shuffle(deck)
            kind = deck.pop()
            task = asyncio.create_task(self._break(kind))
            self._mending.add(task)
            task.add_done_callback(self._mending.discard)
            await asyncio.sleep(self.dice.uniform(*BETWEEN_SECONDS))
        self._is_over = True
        await self.mend()

    async def mend(self) -> None:
        """Wait for all repairs."""
        while self._mending:
            await asyncio.gather(*self._mending)
        await self.line.heal()

    async def _break(self, kind: str) -> None:
        thing = _THING.get(kind, kind)
        while thing in self._busy:
            if self._is_over:
                return
            await asyncio.sleep(0.05)
        self._busy.add(thing)
        try:
            self._happened[kind] += 1
            self.say(kind)
            await self.kinds[kind]()
        finally:
            self._busy.discard(thing)

    async def _kill_bookkeeper(self) -> None:
        await self._kill_program(f"bookkeeper-{self.dice.randint(1, BOOKKEEPERS)}")

    async def _kill_service(self) -> None:
        await self._kill_program("service")
        await self._until(self.stage.service_answers)

    async def _kill_tables(self) -> None:
        place = self.dice.choice((SITE, PIT))
        tally = self.stage.tally(place)
        await self._kill_program(f"tables-{place}")
        size = tally.stat().st_size
        await self._until(lambda: tally.stat().st_size > size)

    async def _kill_program(self, name: str) -> None:
        program = self.stage.programs[name]
        program.kill()
        await self._pause(0.1, 1.0)
        program.start()
        await self._pause(1.0, 2.0)

    async def _until(self, lives: Callable[[], bool]) -> None:
        """Wait until a killed part is running again."""
        for _ in range(150):
            if self._is_over or lives():
                return
            await asyncio.sleep(0.1)

    async def _freeze_bookkeeper(self) -> None:
        """Pause a process while it holds its locks."""
        program = self.stage.programs[f"bookkeeper-{self.dice.randint(1, BOOKKEEPERS)}"]
        program.signal(signal.SIGSTOP)
        await self._pause(1.0, 3.0)
        program.signal(signal.SIGCONT)

    async def _kill_node(self) -> None:
        """Kill one node; a cluster of three survives that."""
        node = self.dice.choice(self.stage.nodes)
        node.kill()
        await self._pause(0.5, 2.0)
        await asyncio.to_thread(node.start)
        await self._pause(1.5, 2.5)

    async def _freeze_node(self) -> None:
        node = self.dice.choice(self.stage.nodes)
        os.kill(node.pid, signal.SIGSTOP)
        await self._pause(1.0, 2.5)
        os.kill(node.pid, signal.SIGCONT)
        await self._pause(1.0, 1.5)

    async def _kill_books(self) -> None:
        self.stage.books.kill()
        await self._pause(0.2, 1.5)
        await asyncio.to_thread(self.stage.books.start)

    async def _kill_leaf(self) -> None:
        self.stage.leaf.kill()
        await self._pause(0.2, 1.5)
        await asyncio.to_thread(self.stage.leaf.start)

    async def _cut_leaf(self) -> None:
        await self.line.cut()
        await self._pause(1.0, 4.0)
        await self.line.heal()

    async def _jump_clocks(self) -> None:
        """Set the clocks of tables wrong."""
        self.stage.programs[f"tables-{self.dice.choice((SITE, PIT))}"].signal(CLOCK_SIGNAL)
        for device in self.devices:
            device.clock_offset = self.dice.choice(_JUMPS)

    async def _duplicate(self) -> None:
        self.dice.choice(self.devices).repeat_window()

    async def _reorder(self) -> None:
        self.dice.choice(self.devices).shuffle_window()

    async def _pause(self, least: float, most: float) -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(self.dice.uniform(least, most))


#: The part that a fault breaks, if several kinds break it.
_THING = {
    "kill_nats_node": "nats_node",
    "freeze_nats_node": "nats_node",
    "kill_bookkeeper": "bookkeeper",
    "freeze_bookkeeper": "bookkeeper",
    "kill_tables": "tables",
    "jump_clock": "tables",
    "kill_leaf": "leaf",
    "cut_leaf": "leaf",
}
