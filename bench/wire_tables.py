"""Tables that start rounds in a process of their own, flat out or at a steady pace."""

import asyncio
import multiprocessing
import time
from collections.abc import Callable
from functools import cache
from multiprocessing.queues import Queue
from typing import Any

import nats
from bench_link import RATE, sign_on_of, the_link
from nats.aio.client import Client
from nats.aio.msg import Msg

from feltwork.money import DOLLAR
from feltwork.site.wire.downlink import MeterSnapshot, decode_downlink
from feltwork.site.wire.subjects import subject_of
from feltwork.site.wire.uplink import RoundEnded, RoundMessage, RoundStarted, encode

SEATS = (1, 2, 3, 4, 5, 6, 7)
TABLES = 150


#: How many messages a process of tables has under way at most.
IN_FLIGHT = 4_000


class Tables:
    """Tables that start rounds, in a process of their own; each round is acknowledged by the log."""

    def __init__(
        self, client: Client, names: list[tuple[str, str]], first: int = 1, *, ends: bool = False
    ) -> None:
        self.client = client
        self.ends = ends
        self.names = names
        self.number = first
        self.sent = 0
        self.acknowledged = 0
        self._inbox = client.new_inbox()
        self._turn = 0

    async def open(self) -> "Tables":
        """Hear acknowledgements."""
        await self.client.subscribe(
            f"{self._inbox}.*", cb=self._hear, pending_msgs_limit=-1, pending_bytes_limit=-1
        )
        return self

    async def _hear(self, message: Msg) -> None:
        assert b'"error"' not in message.data, message.data
        self.acknowledged += 1

    async def start(self) -> None:
        """START GAME on the next link of a table, and END GAME too where ends are asked for."""
        link, table = self.names[self._turn]
        message = RoundStarted(
            link=link,
            at=time.time_ns() // 1_000,
            table=table,
            round=self.number,
            step=0,
            sign_on=sign_on_of(table),
            wager=DOLLAR,
            seats=SEATS,
            version=_version(link),
        )
        await self._publish(message)
        if self.ends:
            at = time.time_ns() // 1_000
            await self._publish(
                RoundEnded(
                    link=link,
                    at=at,
                    table=table,
                    round=self.number,
                    step=1,
                    sign_on=sign_on_of(table),
                    fixed=0,
                    envy=0,
                )
            )
        self._turn += 1
        if self._turn == len(self.names):
            self._turn, self.number = 0, self.number + 1

    async def _publish(self, message: RoundMessage) -> None:
        await self.client.publish(subject_of(message), encode(message), f"{self._inbox}.{self.sent}")
        self.sent += 1

    async def flat_out(self, rounds: int) -> None:
        """As many as the log takes."""
        for _ in range(rounds):
            await self.start()
            if not self.sent % 64:
                await asyncio.sleep(0)
                while self.sent - self.acknowledged > IN_FLIGHT:
                    await asyncio.sleep(0.001)
        while self.acknowledged < self.sent:
            await asyncio.sleep(0.001)


@cache
def _version(link: str) -> str:
    return the_link(link).fingerprint


def names_of(tables: int) -> list[tuple[str, str]]:
    """Tables of the one link."""
    return [("L1", f"T{number + 1}") for number in range(tables)]


def play_flat_out(
    url: str,
    names: list[tuple[str, str]],
    first: int,
    rounds: int,
    queue: "Queue[Any]",
    *,
    ends: bool = False,
) -> None:
    """The process of tables: tells when it began and what it cost."""

    async def play() -> None:
        client = await nats.connect(url, pending_size=64 << 20)
        tables = await Tables(client, names, first, ends=ends).open()
        began, cpu = time.time(), time.process_time()
        await tables.flat_out(rounds)
        queue.put((began, time.time(), time.process_time() - cpu))
        await client.close()

    asyncio.run(play())


def play_paced(
    url: str, names: list[tuple[str, str]], first: int, seconds: float, queue: "Queue[Any]"
) -> None:
    """START GAME at 2,000 wagers a second, and how long until a subscriber sees each on the meter."""

    async def play() -> None:
        client = await nats.connect(url)
        tables = await Tables(client, names, first).open()
        starts: dict[str, list[float]] = {link: [] for link, _ in names}
        rounds_on_meter: dict[str, int] = dict.fromkeys(starts, 0)
        base: dict[str, int] = {}
        latencies: list[float] = []
        each = DOLLAR * RATE // 10_000 * len(SEATS)

        async def hear(message: Msg) -> None:
            now = time.perf_counter()
            snapshot = decode_downlink(message.data)
            assert isinstance(snapshot, MeterSnapshot)
            link, amount = snapshot.link, snapshot.meters["mega"]
            if link not in starts:
                return
            base.setdefault(link, amount)
            upto = min((amount - base[link]) // each, len(starts[link]))
            latencies.extend(now - at for at in starts[link][rounds_on_meter[link] : upto])
            rounds_on_meter[link] = max(rounds_on_meter[link], upto)

        await client.subscribe("meters.*", cb=hear)
        await client.flush()
        while len(base) < len(starts):
            await asyncio.sleep(0.1)
        interval = len(SEATS) / 2_000
        began = time.perf_counter()
        while time.perf_counter() - began < seconds:
            starts[tables.names[tables._turn][0]].append(time.perf_counter())
            await tables.start()
            await asyncio.sleep(max(0, began + tables.sent * interval - time.perf_counter()))
        until = time.perf_counter() + 5
        while len(latencies) < tables.sent and time.perf_counter() < until:
            await asyncio.sleep(0.05)
        queue.put((tables.sent, latencies))
        await client.close()

    asyncio.run(play())


def in_process(target: Callable[..., None], *arguments: Any) -> tuple[Any, multiprocessing.Process]:
    """Start a process; what it tells comes over a queue."""
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=target, args=(*arguments, queue))
    process.start()
    return queue, process  # type: ignore[return-value]
