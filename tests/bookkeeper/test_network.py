"""A hub and two sites as they run: PostgreSQL, NATS servers and processes, one of which is killed."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from threading import Thread

import nats
import pytest

from feltwork.bookkeeper.process import Bookkeeper, BookkeeperSettings
from feltwork.books.audit.replay import audit
from feltwork.books.connection import connect
from feltwork.books.journal.link_state import read_meters
from feltwork.books.migrate import migrate
from feltwork.servers.nats import EmbeddedNats
from feltwork.servers.nats_config import hub_plan
from feltwork.servers.nats_keys import KeyRing
from feltwork.servers.nats_permissions import SERVER, make_hub_keys, site_key
from feltwork.servers.postgres import EmbeddedPostgres
from feltwork.wire.downlink import MeterSnapshot, decode_downlink
from feltwork.wire.subjects import meters_of
from tests.books.hub_room import new_link
from tests.books.site_room import Site, join, open_hub

_SECONDS = 90.0
NAMES = ("A", "B")


class Installation:
    """A hub's server and two sites, each with books of its own."""

    def __init__(self, postgres: EmbeddedPostgres, folder: Path, stack: ExitStack) -> None:
        self.link = new_link()
        self._stack = stack
        migrate(postgres.dsn())
        for name in ("hub", *NAMES):
            postgres.create_database(f"books_{name.lower()}", "postgres")
        self._postgres = postgres
        self.hub = stack.enter_context(connect(self.dsn("hub")))
        open_hub(self.hub, self.link)
        self.sites = {}
        for name in NAMES:
            connection = stack.enter_context(connect(self.dsn(name)))
            join(connection, self.hub, self.link, name)
            self.sites[name] = Site(connection, self.link, name)
        ring = KeyRing(folder / "keys")
        plan = hub_plan(make_hub_keys(NAMES, ring), ring.certificate(SERVER))
        self._keys = str(ring.folder)
        self._line = self._nats(EmbeddedNats(folder / "hub", plan))
        self.logs = {name: self._nats(EmbeddedNats(folder / name)) for name in NAMES}
        self.process = self.start_hub()
        stack.enter_context(self._bookkeepers(ring))

    def dsn(self, name: str) -> str:
        return self._postgres.dsn(f"books_{name.lower()}", role="writer")

    def start_hub(self) -> subprocess.Popen[bytes]:
        program = str(Path(sys.executable).with_name("feltwork"))
        where = ("--dsn", self.dsn("hub"), "--nats", self._line.url, "--keys", self._keys)
        process = subprocess.Popen([program, "hub", *where], stdout=subprocess.DEVNULL)
        self._stack.callback(_end, process)
        return process

    @contextmanager
    def _bookkeepers(self, ring: KeyRing) -> Iterator[None]:
        """The bookkeepers of both sites, in a thread of their own."""
        loop, stop = asyncio.new_event_loop(), asyncio.Event()
        settings = [
            BookkeeperSettings(
                dsn=self.dsn(name),
                url=self.logs[name].url,
                hub_url=self._line.url,
                hub_options=lambda site: ring.options(site_key(site)),
            )
            for name in NAMES
        ]

        async def keep() -> None:
            await asyncio.gather(*(Bookkeeper(one).run(stop) for one in settings))

        thread = Thread(target=loop.run_until_complete, args=(keep(),))
        thread.start()
        try:
            yield
        finally:
            loop.call_soon_threadsafe(stop.set)
            thread.join(60)
            loop.close()

    def _nats(self, server: EmbeddedNats) -> EmbeddedNats:
        self._stack.callback(server.remove)
        return server.start()

    def meter(self) -> int:
        return read_meters(self.hub, self.link.id).state.meter("jackpot")

    def takes_wagers(self, name: str) -> bool:
        return read_meters(self.sites[name].connection, self.link.id).state.takes_wagers


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(20)
    finally:
        process.kill()


@pytest.fixture
def installation(server: EmbeddedPostgres, tmp_path: Path) -> Iterator[Installation]:
    with ExitStack() as stack:
        yield Installation(server, tmp_path, stack)


def until(what: str, holds: Callable[[], bool]) -> None:
    end = time.monotonic() + _SECONDS
    while not holds():
        assert time.monotonic() < end, f"still not: {what}"
        time.sleep(0.2)


async def told(installation: Installation, name: str) -> MeterSnapshot:
    """The next meters that the tables and signs of a site are told."""
    client = await nats.connect(installation.logs[name].url)
    try:
        subscription = await client.subscribe(meters_of(installation.link.id))
        raw = await subscription.next_msg(timeout=30)
    finally:
        await client.close()
    message = decode_downlink(raw.data)
    assert isinstance(message, MeterSnapshot)
    return message


@pytest.mark.requirement("GEN-18")
def test_two_sites_play_for_one_meter_while_the_hub_is_killed(installation: Installation) -> None:
    a, b = installation.sites["A"], installation.sites["B"]
    for name in NAMES:
        until("contact", partial(installation.takes_wagers, name))
    a.play(1, 2, 3)
    b.play(1)
    first = a.claim()
    installation.process.kill()
    installation.process.wait()
    second = b.claim()
    assert not b.award(second).locked, "it waits for the network"
    installation.process = installation.start_hub()
    for site, name in ((a, first), (b, second)):
        until("the amount", partial(site.is_granted, name))
    for site, name in sorted(((a, first), (b, second)), key=lambda one: -one[0].award(one[1]).amount):
        site.confirm(name)
        until("the hub's answer", partial(site.is_confirmed, name))
        site.pay(name)
        until("the hub's booking", site.is_done)
    paid = a.award(first).amount + b.award(second).amount
    owed = sum(site.books().owes for site in installation.sites.values())
    held = read_meters(installation.hub, installation.link.id).state.balances
    assert owed == -held[f"clearing/{installation.link.id}/sites"] == 6 * 290_000 - paid
    for name in NAMES:
        shown = {"jackpot": installation.meter()}
        until("equal signs", partial(installation.sites[name].is_showing, shown))
        assert asyncio.run(told(installation, name)).meters == shown
    for connection in (installation.hub, a.connection, b.connection):
        assert [str(problem) for problem in audit(connection).problems] == []
