"""The hub process with real servers: it answers, shows its meters, and survives the end of every part."""

import asyncio
import contextlib
import gc
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nats
import pytest
from nats.errors import Error

from feltwork.bookkeeper.hub import HubSettings, _LinkWorker
from feltwork.books.connection import Connection, connect
from feltwork.books.migrate import migrate
from feltwork.progressive.link import Link
from feltwork.progressive.network import messages as m
from feltwork.servers.nats import EmbeddedNats
from feltwork.servers.nats_config import hub_plan
from feltwork.servers.nats_keys import KeyRing
from feltwork.servers.nats_permissions import SERVER, make_hub_keys
from feltwork.servers.postgres import EmbeddedPostgres
from feltwork.wire import network
from tests.books.hub_room import begin, loaded, new_link, replays, the_claim, the_sum

_SECONDS = 60


class Hub:
    """A hub with two sites: PostgreSQL, NATS and the process, each of which may be killed."""

    def __init__(self, postgres: EmbeddedPostgres, folder: Path) -> None:
        self.postgres = postgres
        self.link: Link = new_link()
        migrate(postgres.dsn())
        with connect(self.dsn) as connection:
            begin(connection, self.link, ["A", "B"])
        self.ring = KeyRing(folder / "keys")
        users = make_hub_keys(["A", "B"], self.ring)
        self.nats = EmbeddedNats(folder / "nats", hub_plan(users, self.ring.certificate(SERVER))).start()
        self.process = self.started()

    @property
    def dsn(self) -> str:
        return self.postgres.dsn(role="writer")

    def started(self) -> subprocess.Popen[bytes]:
        program = str(Path(sys.executable).with_name("feltwork"))
        keys = str(self.ring.folder)
        return subprocess.Popen([program, "hub", "--dsn", self.dsn, "--nats", self.nats.url, "--keys", keys])

    def kill_process(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process = self.started()

    def kill_nats(self) -> None:
        self.nats.kill()
        self.nats.start()

    def kill_postgres(self) -> None:
        self.postgres.kill()
        self.postgres.start()

    def close(self) -> None:
        self.process.terminate()
        try:
            assert self.process.wait(20) == 0, "it ends by itself when it is asked to"
        finally:
            self.process.kill()
            self.nats.remove()


class Site:
    """A site that sends a message again until it is answered."""

    def __init__(self, hub: Hub, name: str) -> None:
        self.hub = hub
        self.name = name
        self.heard: list[m.Down] = []

    async def connect(self) -> None:
        self.client = await nats.connect(
            self.hub.nats.url,
            max_reconnect_attempts=-1,
            reconnect_time_wait=0.2,
            **self.hub.ring.options(f"site:{self.name}"),
        )
        for subject in (network.downs_of(self.name), network.ALL_METERS):
            await self.client.subscribe(subject, cb=self._hear)

    async def _hear(self, raw: Any) -> None:
        self.heard.append(network.decode_down(raw.subject, raw.data))

    async def say(self, message: m.Up, answered: Callable[[m.Down], bool]) -> m.Down:
        async with asyncio.timeout(_SECONDS):
            while True:
                with contextlib.suppress(Error):
                    await self.client.publish(network.subject_of(message), network.encode(message))
                await asyncio.sleep(0.2)
                for answer in self.heard:
                    if answered(answer):
                        return answer


@pytest.fixture
def hub(server: EmbeddedPostgres, tmp_path: Path) -> Iterator[Hub]:
    hub = Hub(server, tmp_path)
    yield hub
    hub.close()


def is_grant(award: str) -> Callable[[m.Down], bool]:
    return lambda message: isinstance(message, m.GrantDown) and message.award == award


def test_claims_are_granted_once_while_every_part_is_killed(hub: Hub) -> None:
    async def play() -> None:
        site = Site(hub, "A")
        await site.connect()
        entry = 5
        for number, kill in enumerate((hub.kill_process, hub.kill_nats, hub.kill_postgres), 1):
            claim = the_claim(hub.link, the_sum(hub.link, "A", entry, entry), f"A:T1:{number}:1:1")
            await site.client.publish(network.subject_of(claim), network.encode(claim))
            killing = asyncio.create_task(asyncio.to_thread(kill))
            await site.say(claim, is_grant(claim.award))
            await killing
            entry += 1
        last = the_sum(hub.link, "A", entry, entry)
        booked = await site.say(
            last, lambda message: isinstance(message, m.BookedDown) and message.booked_entry == entry
        )
        assert isinstance(booked, m.BookedDown)
        assert (booked.passed, len(booked.grants)) == (last.passed, 3)
        await site.client.close()
        grants = {
            (grant.award, grant.entry, grant.amount) for grant in site.heard if isinstance(grant, m.GrantDown)
        }
        assert len(grants) == 3, "each has one answer"
        meters = [snapshot for snapshot in site.heard if isinstance(snapshot, m.HubSnapshot)]
        with connect(hub.dsn) as connection:
            books = loaded(connection, hub.link)
            assert len(books.state.awards) == 3
            jackpot = next(iter(hub.link.level_names))
            assert meters[-1].meters == {jackpot: books.state.meter(jackpot)}
            replays(connection, hub.link)

    asyncio.run(play())


class SlowLink:
    """A link whose step takes a moment in the books."""

    link = "N1"

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.ended = False

    def hear(self, new: m.SiteSum) -> None:
        raise AssertionError(new)

    def receive(self, connection: Connection, *messages: Any) -> tuple[m.Up | m.Down, ...]:
        raise AssertionError(messages)

    def tick(self, connection: Connection) -> tuple[m.Up | m.Down, ...]:
        self.begun.set()
        connection.execute("SELECT pg_sleep(0.3)")
        connection.execute("SELECT 1")
        self.ended = True
        return ()


def test_a_stop_waits_for_the_step_that_is_under_way(server: EmbeddedPostgres) -> None:
    """The connection was closed under it, and people saw a traceback."""
    slow, errors = SlowLink(), []

    async def stop() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, about: errors.append(about))
        client: Any = None
        worker = _LinkWorker(HubSettings(dsn=server.dsn()), slow, client, None)
        running = asyncio.create_task(worker.run())
        await asyncio.to_thread(slow.begun.wait, 20)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert slow.ended
        del running, worker
        gc.collect()

    asyncio.run(stop())
    assert errors == []
