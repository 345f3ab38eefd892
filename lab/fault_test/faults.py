"""Injects faults by seed, and repairs them."""

import asyncio
import os
import random
import signal
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from feltwork.site.books.connection import UNAVAILABLE
from feltwork.site.servers.child_program import ChildProgram
from feltwork.site.servers.nats import EmbeddedNats
from feltwork.site.servers.postgres import EmbeddedPostgres
from feltwork.site.wire.tcp_relay import TcpRelay
from lab.fault_test.cluster import BOOKKEEPERS, PIT, SITE, FaultTestCluster
from lab.fault_test.devices import SimulatedDevice
from lab.floor import CLOCK_SIGNAL

_HOUR = 3_600_000_000
#: How long to wait for the first commit that a standby should have confirmed.
_UNCONFIRMED_SECONDS = 10.0
_JUMPS = (-24 * _HOUR, -_HOUR, -30_000_000, 30_000_000, _HOUR, 24 * _HOUR)


@dataclass(kw_only=True)
class FaultSchedule(ABC):
    """Injects one fault after another; a part is repaired before it is broken again."""

    dice: random.Random
    say: Callable[[str], None]
    #: Seconds between faults.
    between: tuple[float, float] = (0.4, 1.4)
    _happened: Counter[str] = field(default_factory=Counter)
    _busy: set[str] = field(default_factory=set)
    _is_over: bool = False
    _mending: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    @abstractmethod
    def kinds(self) -> dict[str, Callable[[], Awaitable[None]]]:
        """All kinds of faults."""

    @property
    def things(self) -> Mapping[str, str]:
        """Kind of fault -> the part it breaks, for parts that several kinds break."""
        return {}

    @property
    def faults(self) -> dict[str, int]:
        """Count the faults of each kind."""
        return dict(self._happened)

    async def run(self, seconds: float) -> None:
        """Inject all kinds in random order until the time is up, then repair."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        # A separate generator: concurrent tasks must not change the order.
        order, deck = random.Random(self.dice.random()), list[str]()
        while loop.time() < until:
            if not deck:
                deck = list(self.kinds)
                order.shuffle(deck)
            kind = deck.pop()
            task = asyncio.create_task(self._break(kind))
            self._mending.add(task)
            task.add_done_callback(self._mending.discard)
            await asyncio.sleep(order.uniform(*self.between))
        self._is_over = True
        await self.mend()

    async def mend(self) -> None:
        """Wait for all repairs."""
        while self._mending:
            await asyncio.gather(*self._mending)

    async def _break(self, kind: str) -> None:
        thing = self.things.get(kind, kind)
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

    async def _kill_program(self, program: ChildProgram) -> None:
        program.kill()
        await self._pause(0.1, 1.0)
        program.start()
        await self._pause(1.0, 2.0)

    async def _freeze_program(self, program: ChildProgram) -> None:
        """Pause a process while it holds its locks."""
        program.signal(signal.SIGSTOP)
        await self._pause(1.0, 3.0)
        program.signal(signal.SIGCONT)

    async def _kill_server(self, server: EmbeddedPostgres | EmbeddedNats) -> None:
        server.kill()
        await self._pause(0.2, 1.5)
        await asyncio.to_thread(server.start)

    async def _until(self, lives: Callable[[], bool]) -> None:
        """Wait until a killed part is running again."""
        for _ in range(150):
            if self._is_over or lives():
                return
            await asyncio.sleep(0.1)

    async def _rest(self) -> None:
        """Let the programs work before the next fault of the same part."""
        if not self._is_over:
            await self._pause(1.0, 3.0)

    async def _pause(self, least: float, most: float) -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(self.dice.uniform(least, most))


@dataclass(kw_only=True)
class FaultInjector(FaultSchedule):
    """The faults of one room."""

    stage: FaultTestCluster
    line: TcpRelay
    devices: Sequence[SimulatedDevice]
    #: Commits that PostgreSQL reported as done while no standby had them.
    unconfirmed: int = 0

    @property
    def kinds(self) -> dict[str, Callable[[], Awaitable[None]]]:
        """All kinds of faults."""
        return {
            "kill_bookkeeper": self._kill_bookkeeper,
            "kill_service": self._kill_service,
            "kill_nats_node": self._kill_node,
            "kill_postgres": self._kill_books,
            "fail_over": self._fail_over,
            "lose_standbys": self._lose_standbys,
            "lose_commits": self._lose_commits,
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
        """Count the faults of each kind; devices count their own."""
        device_faults = {
            "duplicate": sum(device.repeated for device in self.devices),
            "reorder": sum(device.shuffled for device in self.devices),
        }
        return {**self._happened, **device_faults}

    @property
    def things(self) -> Mapping[str, str]:
        """Kind of fault -> the part it breaks, for parts that several kinds break."""
        return _THING

    async def mend(self) -> None:
        """Wait for all repairs."""
        await super().mend()
        await self.line.heal()

    async def _kill_bookkeeper(self) -> None:
        await self._kill_program(self._bookkeeper())

    async def _kill_service(self) -> None:
        await self._kill_program(self.stage.programs["service"])
        await self._until(self.stage.service_answers)

    async def _kill_tables(self) -> None:
        place = self.dice.choice((SITE, PIT))
        tally = self.stage.tally(place)
        await self._kill_program(self.stage.programs[f"tables-{place}"])
        size = tally.stat().st_size
        await self._until(lambda: tally.stat().st_size > size)

    def _bookkeeper(self) -> ChildProgram:
        return self.stage.programs[f"bookkeeper-{self.dice.randint(1, BOOKKEEPERS)}"]

    async def _freeze_bookkeeper(self) -> None:
        await self._freeze_program(self._bookkeeper())

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
        await self._kill_server(self._primary())

    def _primary(self) -> EmbeddedPostgres:
        return self.stage.books[self.stage.replicas.primary]

    async def _fail_over(self) -> None:
        """Kill the primary; a standby takes over, and a copy of it replaces the old primary."""
        await asyncio.to_thread(self.stage.replicas.fail_over)
        await self._rest()

    async def _lose_standbys(self) -> None:
        """Cut the standbys off, and cancel what waits for them until they are back."""
        await self._commit_alone()
        await asyncio.to_thread(self.stage.replicas.heal)
        await self._rest()

    async def _lose_commits(self) -> None:
        """Kill the only server that has commits: a standby takes over without them."""
        await self._commit_alone()
        await self._fail_over()

    async def _commit_alone(self) -> None:
        """Cut the standbys off; PostgreSQL then reports each commit whose wait is canceled as done."""
        await asyncio.to_thread(self.stage.replicas.cut)
        clock, before = asyncio.get_running_loop().time, self.unconfirmed
        end = clock() + self.dice.uniform(1.0, 2.5)
        while clock() < end or (self.unconfirmed == before and clock() < end + _UNCONFIRMED_SECONDS):
            with suppress(*UNAVAILABLE):
                self.unconfirmed += await asyncio.to_thread(self._primary().cancel_waits)
            await asyncio.sleep(0.05)

    async def _kill_leaf(self) -> None:
        await self._kill_server(self.stage.leaf)

    async def _cut_leaf(self) -> None:
        await self.line.cut()
        await self._pause(1.0, 4.0)
        await self.line.heal()

    async def _jump_clocks(self) -> None:
        """Set the clocks of tables to a wrong time."""
        self.stage.programs[f"tables-{self.dice.choice((SITE, PIT))}"].signal(CLOCK_SIGNAL)
        for device in self.devices:
            device.clock_offset = self.dice.choice(_JUMPS)

    async def _duplicate(self) -> None:
        self.dice.choice(self.devices).repeat_window()

    async def _reorder(self) -> None:
        self.dice.choice(self.devices).shuffle_window()


#: Kind of fault -> the part it breaks, for parts that several kinds break.
_THING = {
    "kill_postgres": "postgres",
    "fail_over": "postgres",
    "lose_standbys": "postgres",
    "lose_commits": "postgres",
    "kill_nats_node": "nats_node",
    "freeze_nats_node": "nats_node",
    "kill_bookkeeper": "bookkeeper",
    "freeze_bookkeeper": "bookkeeper",
    "kill_tables": "tables",
    "jump_clock": "tables",
    "kill_leaf": "leaf",
    "cut_leaf": "leaf",
}
