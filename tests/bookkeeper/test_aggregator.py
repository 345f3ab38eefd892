"""A hub, an aggregator and two sites as they run: PostgreSQL, NATS servers and processes that are killed."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from threading import Thread

import pytest

from feltwork.bookkeeper.process import Bookkeeper, BookkeeperSettings
from feltwork.books.audit.replay import audit
from feltwork.books.connection import Connection, connect
from feltwork.books.journal.link_state import read_meters
from feltwork.books.migrate import migrate
from feltwork.books.network.aggregator_store import lock_aggregator
from feltwork.books.network.hub_store import read_hub
from feltwork.books.records.alarms import open_alarms
from feltwork.books.rounds.table_rounds import Table
from feltwork.ledger.chain import Tail
from feltwork.money import CENT
from feltwork.progressive.network.aggregator import AggregatorBooks
from feltwork.progressive.network.hub_books import HubBooks
from feltwork.servers.nats import EmbeddedNats
from feltwork.servers.nats_config import hub_plan
from feltwork.servers.nats_keys import KeyRing
from feltwork.servers.nats_permissions import SERVER, make_hub_keys, site_key
from feltwork.servers.postgres import EmbeddedPostgres
from tests.books.hub_room import new_link
from tests.books.site_room import Site, join, join_aggregator, open_hub

_SECONDS = 90.0
NAMES = ("A@W", "B@W")
WAGER = 29 * CENT


class Tree:
    """A hub with the aggregator W, which has two sites; each has books and a NATS server of its own."""

    def __init__(self, postgres: EmbeddedPostgres, folder: Path, stack: ExitStack) -> None:
        self.link = new_link()
        self._stack = stack
        self._folder = folder
        self._postgres = postgres
        migrate(postgres.dsn())
        for name in ("hub", "W", *NAMES):
            postgres.create_database(_database(name), "postgres")
        self.hub, self.aggregator = self._connect("hub"), self._connect("W")
        open_hub(self.hub, self.link)
        join_aggregator(self.aggregator, self.hub, self.link, "W")
        self.sites = {}
        for name in NAMES:
            connection = self._connect(name)
            join(connection, self.aggregator, self.link, name)
            self.sites[name] = Site(connection, self.link, name)
            self.sites[name].table = Table(connection, self.link.id, "T1")
        self._ring, self._line = self._server("top", ["W"])
        ring, line = self._server("below", NAMES)
        self._keys, self._below = str(ring.folder), line
        self.logs = {name: self._nats(EmbeddedNats(folder / name)) for name in NAMES}
        self.top, self.process = self.start_top(), self.start_aggregator()
        stack.enter_context(self._bookkeepers(ring))

    def _connect(self, name: str) -> Connection:
        return self._stack.enter_context(connect(self.dsn(name)))

    def _server(self, name: str, sites: Sequence[str]) -> tuple[KeyRing, EmbeddedNats]:
        ring = KeyRing(self._folder / f"{name}_keys")
        plan = hub_plan(make_hub_keys(sites, ring), ring.certificate(SERVER))
        return ring, self._nats(EmbeddedNats(self._folder / name, plan))

    def _nats(self, server: EmbeddedNats) -> EmbeddedNats:
        self._stack.callback(server.remove)
        return server.start()

    def dsn(self, name: str) -> str:
        return self._postgres.dsn(_database(name), role="writer")

    def start_top(self) -> subprocess.Popen[bytes]:
        return self._start("hub", self._line.url, str(self._ring.folder))

    def start_aggregator(self) -> subprocess.Popen[bytes]:
        above = ("--hub", self._line.url, "--hub-keys", str(self._ring.folder))
        return self._start("W", self._below.url, self._keys, *above)

    def _start(self, name: str, url: str, keys: str, *more: str) -> subprocess.Popen[bytes]:
        program = str(Path(sys.executable).with_name("feltwork"))
        where = ("--dsn", self.dsn(name), "--nats", url, "--keys", keys, *more)
        process = subprocess.Popen([program, "hub", *where], stdout=subprocess.DEVNULL)
        self._stack.callback(_end, process)
        return process

    def kill_aggregator(self) -> None:
        self.process.kill()
        self.process.wait()

    @contextmanager
    def _bookkeepers(self, ring: KeyRing) -> Iterator[None]:
        loop, stop = asyncio.new_event_loop(), asyncio.Event()
        settings = [
            BookkeeperSettings(
                dsn=self.dsn(name),
                url=self.logs[name].url,
                hub_url=self._below.url,
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

    def above(self) -> HubBooks:
        return read_hub(self.hub, self.link.id)

    def between(self) -> AggregatorBooks:
        with self.aggregator.transaction():
            return lock_aggregator(self.aggregator, self.link.id)[0]

    def passed_above(self) -> int:
        return self.above().members["W"].sum.passed

    def takes_wagers(self, name: str) -> bool:
        return read_meters(self.sites[name].connection, self.link.id).state.takes_wagers

    def is_stopped(self, name: str) -> bool:
        return not self.takes_wagers(name)

    def alarms(self) -> set[str]:
        return {alarm.kind for alarm in open_alarms(self.aggregator)}

    def audited(self) -> None:
        for connection in (self.hub, self.aggregator, *(site.connection for site in self.sites.values())):
            assert [str(problem) for problem in audit(connection).problems] == []


def _database(name: str) -> str:
    return f"tree_{name.partition('@')[0].lower()}"


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(20)
    finally:
        process.kill()


@pytest.fixture
def tree(server: EmbeddedPostgres, tmp_path: Path) -> Iterator[Tree]:
    with ExitStack() as stack:
        yield Tree(server, tmp_path, stack)


def until(what: str, holds: Callable[[], bool]) -> None:
    end = time.monotonic() + _SECONDS
    while not holds():
        assert time.monotonic() < end, f"still not: {what}"
        time.sleep(0.2)


def balanced(tree: Tree) -> None:
    """Each level says the same as the one above it of what is passed on, credited and settled."""
    top, between = tree.above(), tree.between()
    member_above = top.members["W"]
    below = between.below.members.values()
    assert member_above.sum.passed == between.sum(Tail()).passed == sum(member.sum.passed for member in below)
    assert member_above.awards == sum(member.awards for member in below)
    assert member_above.owes == between.state.balances.get(f"clearing/{tree.link.id}/hub", 0)
    for name, site in tree.sites.items():
        member = between.below.members[name]
        books = site.books()
        assert books.sum(Tail()).passed == member.sum.passed
        assert books.owes == member.owes
    assert between.state.balances.get(f"clearing/{tree.link.id}/sites", 0) == -sum(
        member.owes for member in below
    )


@pytest.mark.requirement("GEN-18")
def test_sums_and_claims_pass_through_an_aggregator_that_is_killed(tree: Tree) -> None:
    a, b = (tree.sites[name] for name in NAMES)
    for name in NAMES:
        until("contact", partial(tree.takes_wagers, name))
    a.play(1, 2, 3)
    b.play(1)
    until("the sums at the top", lambda: tree.passed_above() == 4 * WAGER)
    first = a.claim()
    tree.kill_aggregator()
    second = b.claim()
    assert not b.award(second).locked, "it waits for the network"
    tree.process = tree.start_aggregator()
    for site, name in ((a, first), (b, second)):
        until("the amount", partial(site.is_granted, name))
        site.confirm(name)
    for site, name in ((a, first), (b, second)):
        until("the hub's answer", partial(site.is_confirmed, name))
        site.pay(name)
        tree.kill_aggregator()  # perhaps between the hub's booking and the credit of the site
        tree.process = tree.start_aggregator()
        until("the hub's booking", site.is_done)
    top = tree.above()
    assert {name: award.status for name, award in top.state.awards.items()} == {first: "paid", second: "paid"}
    paid = a.award(first).amount + b.award(second).amount
    assert sum(award.amount for award in top.state.awards.values()) == paid
    until("every round at the top", lambda: tree.passed_above() == 6 * WAGER)
    assert tree.above().members["W"].owes == 6 * WAGER - paid
    balanced(tree)
    meters = {"jackpot": tree.above().state.meter("jackpot")}
    for site in (a, b):
        until("the meters of the top", partial(site.is_showing, meters))
    tree.audited()


@pytest.mark.requirement("GEN-18")
def test_sites_stop_when_their_aggregator_loses_the_hub(tree: Tree) -> None:
    for name in NAMES:
        until("contact", partial(tree.takes_wagers, name))
    tree.top.kill()
    tree.top.wait()
    for name in NAMES:
        until("no wagers", partial(tree.is_stopped, name))
    until("an alarm", lambda: "no contact with the hub" in tree.alarms())
    tree.top = tree.start_top()
    for name in NAMES:
        until("contact", partial(tree.takes_wagers, name))
    until("no alarm", lambda: "no contact with the hub" not in tree.alarms())
    tree.sites["A@W"].play(1, 2)
    until("the sum at the top", lambda: tree.passed_above() == 2 * WAGER)
    balanced(tree)
    tree.audited()
