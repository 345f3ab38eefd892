"""Sites of a network link in the bare NATS protocol, in processes of their own, and what happens to them."""

import argparse
import asyncio
import random
import ssl
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection as Pipe

from hub_books import network_link

from feltwork.servers.nats_keys import KeyRing
from feltwork.simulation.network.raw_site import LONGEST_LATE, RawSite

DOUBLED = LATE = 0.02


@dataclass(slots=True)
class Played:
    """What the sites of a process have done."""

    #: Site -> entry -> when it was sent.
    sent: dict[str, dict[int, float]] = field(default_factory=dict)
    #: Site -> what it has passed on.
    passed: dict[str, int] = field(default_factory=dict)
    connected_at: float = 0.0
    #: When the last site was back after the server was killed, the processor time of this process until then,
    #: and the attempts that failed.
    back_at: float = 0.0
    back_cpu: float = 0.0
    failed_attempts: int = 0
    cuts: int = 0


class TimedSite(RawSite):
    """A site that notes when each of its sums was sent."""

    sent: dict[int, float]

    def send(self, *, grow: bool = True) -> None:
        """Play a little, and send the sum; doubled or late now and then."""
        if grow:
            self.grow()
        chance = self.dice.random()
        self.manner = "late" if grow and chance < LATE else "double" if chance > 1 - DOUBLED else ""
        if self.say(self.sum()) and grow:
            self.sent[self.entry] = time.time()


def play_sites(
    numbers: list[int], seeds: list[bytes], chosen: argparse.Namespace, port: int, keys: KeyRing, pipe: Pipe
) -> None:
    """The process of some sites: it says when all are connected, plays when it is told to, and reports."""

    async def main() -> None:
        tls: ssl.SSLContext | None = None if chosen.plain else keys.options("sites")["tls"]
        link = network_link()
        sites = []
        for number, seed in zip(numbers, seeds, strict=True):
            dice = random.Random(number)
            sites.append(TimedSite(f"S{number}", link, seed, port=port, tls=tls, dice=dice))
            sites[-1].sent = {}
        tasks = [asyncio.create_task(site.stay_connected()) for site in sites]
        await until(lambda: all(site.is_up for site in sites), 600)
        played = Played(connected_at=time.time())
        pipe.send(played.connected_at)
        await asyncio.to_thread(pipe.recv)
        await _play(sites, chosen, pipe, played)
        for task in tasks:
            task.cancel()
        played.sent = {site.name: site.sent for site in sites}
        played.passed = {site.name: site.sum().passed for site in sites}
        pipe.send(played)

    asyncio.run(main())


async def _play(sites: list[TimedSite], chosen: argparse.Namespace, pipe: Pipe, played: Played) -> None:
    began, beat, step = time.time(), 0, 1 / chosen.hertz / 20
    end = began + chosen.seconds
    cuts = chosen.cuts * len(sites) // chosen.sites
    back: asyncio.Task[None] | None = None
    while time.time() < end:
        for site in sites[beat % 20 :: 20]:
            site.send()
        beat += 1
        if played.cuts < cuts * (1 - (end - time.time()) / chosen.seconds):
            random.choice(sites).cut()
            played.cuts += 1
        if pipe.poll():  # the server was killed
            pipe.recv()
            back = asyncio.create_task(_come_back(sites, played))
        await asyncio.sleep(max(0.0, began + beat * step - time.time()))
    await asyncio.sleep(LONGEST_LATE)
    if back is not None:
        await back
    await until(lambda: all(site.is_up for site in sites), 300)
    for _ in range(3):
        for site in sites:
            site.send(grow=False)
        await asyncio.sleep(1)


async def _come_back(sites: list[TimedSite], played: Played) -> None:
    """Note when the last site is connected again, and what it took; other cuts go on meanwhile."""
    cpu, failed = time.process_time(), sum(site.failed for site in sites)
    for site in sites:
        site.cut()
    left = list(sites)

    def is_over() -> bool:
        left[:] = [site for site in left if not site.is_up]
        return not left

    with suppress(TimeoutError):
        await until(is_over, 240)
    played.back_at, played.back_cpu = time.time(), time.process_time() - cpu
    played.failed_attempts = sum(site.failed for site in sites) - failed


async def until(holds: Callable[[], bool], seconds: float) -> None:
    """Wait until something holds."""
    end = time.time() + seconds
    while not holds():
        if time.time() > end:
            raise TimeoutError
        await asyncio.sleep(0.05)
