"""A hub and two sites as they run: PostgreSQL, NATS servers and processes, one of which is killed."""

import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Thread

import nats
import pytest

from feltwork.bookkeeper.process import Bookkeeper, BookkeeperSettings
from feltwork.books.audit.replay import audit
from feltwork.books.connection import Connection, connect
from feltwork.books.journal.link_state import read_meters
from feltwork.books.links.floors import register_floor
from feltwork.books.links.links import register_version
from feltwork.books.migrate import migrate
from feltwork.books.network import hub_members
from feltwork.books.network.hub_store import read_hub
from feltwork.books.people.people import Person, Secrets, register_people, token_hash
from feltwork.money import CENT
from feltwork.problem import ProblemsError
from feltwork.progressive.link import Link
from feltwork.progressive.network.versions import not_ready
from feltwork.servers.nats import EmbeddedNats
from feltwork.servers.nats_config import hub_plan
from feltwork.servers.nats_keys import KeyRing
from feltwork.servers.nats_permissions import SERVER, make_hub_keys, site_key
from feltwork.servers.postgres import EmbeddedPostgres
from feltwork.table.controller import Controller
from feltwork.table.publisher import TablePublisher
from feltwork.wire.downlink import MeterSnapshot, decode_downlink
from feltwork.wire.subjects import meters_of
from tests.bookkeeper.house import SIGN_ON, sign_on_of
from tests.books.hub_room import new_link
from tests.books.site_room import Site, join, open_hub
from tests.floor_text import floor_text
from tests.progressive.room import asked
from tests.table.conftest import FULL, STOP
from tests.table.conftest import until as soon

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
            await asyncio.gather(*(Bookkeeper(site_settings).run(stop) for site_settings in settings))

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

    def is_stopped(self, name: str) -> bool:
        return not self.takes_wagers(name)


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


def plays(connection: Connection, version: Link) -> bool:
    return read_meters(connection, version.id).state.link.fingerprint == version.fingerprint


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
    for site, name in ((a, first), (b, second)):
        site.confirm(name)  # the signature waits for its turn at the hub
    for site, name in ((a, first), (b, second)):
        until("the hub's answer", partial(site.is_confirmed, name))
        site.pay(name)
        until("the hub's booking", site.is_done)
    paid = a.award(first).amount + b.award(second).amount
    owed = sum(site.books().owes for site in installation.sites.values())
    held = read_meters(installation.hub, installation.link.id).state.balances
    assert owed == -held[f"clearing/{installation.link.id}/sites"] == 6 * 290_000 - paid
    for name in NAMES:
        meters = {"jackpot": installation.meter()}
        until("equal signs", partial(installation.sites[name].is_showing, meters))
        assert asyncio.run(told(installation, name)).meters == meters
    for connection in (installation.hub, a.connection, b.connection):
        assert [str(problem) for problem in audit(connection).problems] == []


@pytest.mark.requirement("GEN-06", "GEN-18")
def test_a_new_version_takes_effect_at_both_sites_at_one_entry_of_the_hub(installation: Installation) -> None:
    a, b = installation.sites["A"], installation.sites["B"]
    link = installation.link.id
    for name in NAMES:
        until("contact", partial(installation.takes_wagers, name))
    b.play(1)
    a.start(1, 2)
    (level,) = installation.link.levels
    new = replace(installation.link, levels=(replace(level, contribution=1_000, reserve=0),))
    register_version(a.connection, new, by="ann")
    register_version(installation.hub, new, by="ann")
    hub_members.propose_change(installation.hub, new, asked())
    for name in NAMES:
        until("no wagers", partial(installation.is_stopped, name))
    assert not_ready(read_hub(installation.hub, link)) == NAMES, "A has an open round, and B no such version"
    a.table.end()
    until("A is ready", lambda: not_ready(read_hub(installation.hub, link)) == ("B",))
    register_version(b.connection, new, by="ann")
    for connection in (installation.hub, a.connection, b.connection):
        until("the new version", partial(plays, connection, new))
    for name in NAMES:
        until("wagers", partial(installation.takes_wagers, name))
    before = installation.meter()
    a.play(1)
    b.play(1)
    until("the new rate", lambda: installation.meter() == before + 2 * 10 * CENT)
    assert a.books().owes == 2 * 29 * CENT + 10 * CENT
    for connection in (installation.hub, a.connection, b.connection):
        assert [str(problem) for problem in audit(connection).problems] == []


@asynccontextmanager
async def at_table(installation: Installation, name: str) -> AsyncIterator[Controller]:
    """The controller of table T1 of a site, let in, with people at the table."""
    client = await nats.connect(installation.logs[name].url)
    line = TablePublisher(client, link=installation.link.id, table="T1")
    controller = Controller(line, installation.link, STOP, game="crazy_4")
    await controller.open()
    running = asyncio.create_task(controller.run(every_seconds=0.2))
    try:
        await soon(lambda: controller.welcome is not None and controller.snapshot is not None)
        await controller.seat(FULL)
        yield controller
    finally:
        running.cancel()
        await client.close()


@pytest.mark.requirement("GEN-07", "GEN-18")
def test_a_table_controller_plays_for_the_network_and_stops_without_the_hub(
    installation: Installation,
) -> None:
    site, by = installation.sites["A"], sign_on_of("T1")
    link = installation.link
    # The floor file with the next version is applied, and the hub has not proposed it yet.
    terms = 'hub = "hub"\nsite = "A"\nagreement = "A-1"\nowes_at_most = "1000000.00"\ncut_off = "stop"'
    floor = floor_text(link, tables={link.id: ("T1",)}).replace('cut_off = "stop"', terms)
    register_floor(site.connection, floor.replace('"24.0%"', '"10.0%"'), asked())
    dana = Person(id="dana", name="Dana", role="dealer")
    register_people(site.connection, {"B-dana": dana}, Secrets(pin="2580"), by="setup")
    site.connection.execute(SIGN_ON, (token_hash(by), "dana", "dealer", "T1"))
    site.table = type(site.table)(site.connection, link.id, "T1")
    until("contact", partial(installation.takes_wagers, "A"))

    async def play() -> None:
        async with at_table(installation, "A") as controller:
            await controller.start(by=by)
            await controller.press(seat=2, hand="four_aces", by=by)
            name = "A:T1:1:2:0"
            await soon(lambda: name in site.books().open and site.is_granted(name))
            site.confirm(name)
            await soon(lambda: site.is_confirmed(name) and 2 in controller.round.confirmed)
            await controller.end(by=by)
            site.pay(name)
            await soon(site.is_done)
            assert controller.snapshot is not None
            meters = controller.snapshot.meters
            assert meters == {"jackpot": installation.meter()}, "the restarted meter of the hub"
            assert site.books().owes == 3 * 29 * CENT - site.award(name).amount
            installation.process.kill()
            installation.process.wait()
            await soon(lambda: not controller.takes_wagers)
            with pytest.raises(ProblemsError, match="not accepting wagers"):
                await controller.start(by=by)

    asyncio.run(play())
    for connection in (installation.hub, site.connection):
        assert [str(problem) for problem in audit(connection).problems] == []
