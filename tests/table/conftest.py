"""A site that is played and controllers at its tables, on real servers."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import nats
import pytest
from nats.aio.client import Client

from feltwork.conformance.simulated_site import SimulatedSite
from feltwork.site.compliance.floor import Floor, link_from_floor
from feltwork.site.compliance.floor_file import read_floor
from feltwork.site.progressive.link import Link
from feltwork.site.servers.nats import EmbeddedNats, NatsPlan
from feltwork.site.table.controller import Controller
from feltwork.site.table.offline_policy import TablePolicy
from feltwork.site.table.presence import SensorState
from feltwork.site.table.publisher import TablePublisher

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
STOP = TablePolicy(store_and_forward=False, rounds=None, wagers=None, hours=None, patience=2_500_000)
FULL = SensorState(covered=frozenset({1, 2, 3}), players=frozenset({1, 2, 3, 4}))


def room(change: Callable[[str], str] = lambda text: text) -> Floor:
    text = (EXAMPLES / "card_room.toml").read_text(encoding="utf-8")
    return read_floor(change(text), where="card_room.toml")


def link_named(floor: Floor, name: str) -> Link:
    floor_link = next(link for link in floor.links if link.id == name)
    return link_from_floor(floor, floor_link)


def aquarius(text: str) -> str:
    """The five-card link with a key in place of buttons."""
    head, five, tail = text.partition('id = "five-card"')
    return head + five + tail.replace('"nexus"', '"aquarius"', 1).replace('"confirm"', '"run"', 1)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EmbeddedNats]:
    running = EmbeddedNats(tmp_path / "site", NatsPlan()).start()
    yield running
    running.remove()


class Play:
    """A played site and the controllers at its tables."""

    def __init__(self, url: str, link: Link) -> None:
        self.url = url
        self.link = link
        self.shown: list[str] = []
        self._open: list[Client] = []
        self._tasks: list[asyncio.Task[None]] = []
        self.site: SimulatedSite

    async def connect(self, url: str = "") -> Client:
        client = await nats.connect(
            url or self.url, max_reconnect_attempts=-1, reconnect_time_wait=1, error_cb=_quiet
        )
        self._open.append(client)
        return client

    async def table(
        self, name: str = "C1", *, policy: TablePolicy = STOP, line: TablePublisher | None = None
    ) -> Controller:
        """A controller that has been let in, with people at the table."""
        controller = await self.controller(name, policy=policy, line=line)
        await until(lambda: controller.welcome is not None and controller.snapshot is not None)
        await controller.seat(FULL)
        return controller

    async def controller(
        self, name: str = "C1", *, policy: TablePolicy = STOP, line: TablePublisher | None = None
    ) -> Controller:
        """A controller that has said hello."""
        near = line or TablePublisher(await self.connect(), link=self.link.id, table=name)
        controller = Controller(near, self.link, policy, game="crazy_4", show=self.shown.append)
        await controller.open()
        self._tasks.append(asyncio.create_task(controller.run(every_seconds=0.2)))
        return controller

    async def leave(self) -> None:
        """Every controller is gone, as after a crash; the site stays."""
        for task in self._tasks:
            task.cancel()
        self._tasks = []
        for client in self._open[1:]:
            await client.close()

    async def close(self) -> None:
        await self.leave()
        await self.site.close()
        await self._open[0].close()


async def _quiet(error: Exception) -> None:
    """What a cut line says is what the test is about."""


@asynccontextmanager
async def playing(url: str, link: Link, *, domain: str = "") -> AsyncIterator[Play]:
    play = Play(url, link)
    play.site = SimulatedSite(await play.connect(), link.id, domain=domain)
    await play.site.open()
    try:
        yield play
    finally:
        await play.close()


async def until(true: Callable[[], bool], seconds: float = 120.0) -> None:
    """Wait for something that must become true."""
    for _ in range(int(seconds / 0.02)):
        if true():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it did not become true in time")
