"""Past one box: a log on three nodes that loses one, and books with a standby that loses the primary."""

import asyncio
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from nats.errors import Error as NatsError

from feltwork.simulation.floor_runner import connector
from feltwork.simulation.floors import room_text
from feltwork.simulation.stage import SimulatedCasino, badge_of, open_site
from feltwork.simulation.tally import Tally
from feltwork.site.books.audit.export import export
from feltwork.site.books.connection import connect
from feltwork.site.books.floors.floor_files import Period
from feltwork.site.servers.child_program import ChildProgram
from feltwork.site.servers.nats import EmbeddedNats, NatsPlan, cluster_of
from feltwork.site.servers.postgres import EmbeddedPostgres
from feltwork.site.servers.replicas import Replicas
from feltwork.site.wire.streams import FELT, ensure_streams
from lab.fault_test.comparison import BooksComparison, compare
from lab.fault_test.devices import SimulatedDevice

TABLES = ("D1", "D2", "D3")
LINK = "devices"


@dataclass
class Site:
    """A site under load, and what its tables sent."""

    folder: Path
    books: EmbeddedPostgres
    house: SimulatedCasino
    nodes: list[EmbeddedNats]
    keepers: list[ChildProgram]
    tally: Tally
    dsn: str

    @property
    def url(self) -> str:
        return ",".join(node.url for node in self.nodes)

    def keep(self, replicas: int) -> None:
        """Start two bookkeepers."""
        for number in (1, 2):
            wire = ("--nats", self.url, "--replicas", str(replicas), "--name", f"bookkeeper-{number}")
            keeper = ChildProgram(
                f"bookkeeper-{number}", ("bookkeeper", "--dsn", self.dsn, *wire), self.folder
            )
            keeper.start()
            self.keepers.append(keeper)

    async def play(self, replicas: int, fault: Callable[[], Any], *, seconds: float = 8.0) -> None:
        """Load from three tables; half-way the fault; then the last of it is waited for."""
        client = await connector(self.url)("devices")
        await _made(lambda: ensure_streams(client.jetstream(), replicas=replicas))
        devices = [
            SimulatedDevice(
                client=client,
                link=self.house.links[LINK],
                table=table,
                seats=7,
                dealer=badge_of(self.house.people["dealer"][0]),
                tally=self.tally,
                dice=random.Random(table),
            )
            for table in TABLES
        ]
        self.keep(replicas)
        playing = [asyncio.create_task(device.run()) for device in devices]
        await asyncio.to_thread(self.wait_for_books, 100)
        await asyncio.sleep(seconds / 2)
        sent = len(self.tally.kept)
        await asyncio.to_thread(fault)
        await asyncio.sleep(seconds / 2)
        # How long it takes until another node leads is not promised; that tables play on is.
        for _ in range(600):
            if len(self.tally.kept) > sent + 100:
                break
            await asyncio.sleep(0.1)
        for device in devices:
            device.stop()
        await asyncio.gather(*playing)
        assert len(self.tally.kept) > sent + 100, "tables played on"
        info = await client.jetstream().stream_info(FELT)
        assert info.config.num_replicas == replicas
        await client.close()

    def wait_for_books(self, rounds: int, ends: int = 0) -> None:
        counts = (0, 0)
        for _ in range(600):
            try:
                with psycopg.connect(self.dsn, connect_timeout=3) as connection:
                    row = connection.execute(
                        "SELECT (SELECT count(*) FROM books.round), (SELECT count(*) FROM books.round_end)"
                    ).fetchone()
                    counts = row or counts
            except psycopg.OperationalError:
                pass
            if counts[0] >= rounds and counts[1] >= ends:
                return
            time.sleep(0.1)
        raise AssertionError(f"{counts} instead of {rounds}, {ends}")

    def verdict(self) -> BooksComparison:
        self.wait_for_books(len(self.tally.kept), len(self.tally.kept_ends))
        with connect(self.dsn) as connection:
            export(connection, self.folder / "bundle", Period())
        return compare(self.folder / "bundle", self.tally, dict(self.house.links))


async def _made(attempt: Callable[[], Any]) -> None:
    for _ in range(150):
        try:
            await attempt()
        except (NatsError, TimeoutError):
            await asyncio.sleep(0.1)
        else:
            return
    raise AssertionError("the cluster did not come up")


@pytest.fixture
def site() -> Iterator[Site]:
    folder = Path(tempfile.mkdtemp(prefix="feltwork-growth-"))
    folder.chmod(0o755)
    (folder / "books").mkdir(mode=0o755)
    books = EmbeddedPostgres(folder / "books").start()
    site = Site(
        folder=folder,
        books=books,
        house=open_site(books.dsn(), room_text("storm")),
        nodes=[],
        keepers=[],
        tally=Tally(),
        dsn=books.dsn(role="writer"),
    )
    try:
        yield site
    finally:
        for keeper in site.keepers:
            keeper.kill()
        for node in site.nodes:
            node.kill()
        books.remove()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.requirement("GEN-09")
@pytest.mark.whole
def test_a_log_on_three_nodes_bears_the_loss_of_any_one(site: Site) -> None:
    site.nodes = list(cluster_of(site.folder / "nats", 3, NatsPlan(name="site")))
    for node in site.nodes:
        node.start(wait=False)
    for node in site.nodes:
        node.wait()
    asyncio.run(site.play(3, site.nodes[1].kill))
    verdict = site.verdict()
    assert verdict.problems == []
    assert verdict.wagers["lost"] == verdict.wagers["double"] == 0


@pytest.mark.requirement("GEN-09")
@pytest.mark.whole
def test_a_standby_is_promoted_when_the_primary_is_killed_and_nothing_is_lost(site: Site) -> None:
    standby = EmbeddedPostgres(site.folder / "standby")
    try:
        replicas = Replicas({"n1": site.books, "n2": standby})
        site.dsn = replicas.dsn
        site.nodes = [EmbeddedNats(site.folder / "nats", NatsPlan()).start()]
        asyncio.run(site.play(1, replicas.fail_over))
        verdict = site.verdict()
        with psycopg.connect(site.dsn) as connection:
            assert connection.info.port == standby.port
        assert verdict.problems == []
        assert verdict.wagers["lost"] == verdict.wagers["double"] == 0
    finally:
        standby.remove()
