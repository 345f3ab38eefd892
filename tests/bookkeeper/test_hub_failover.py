"""A hub with synchronous standbys: claims of several sites at once, while its parts are killed."""

import asyncio
import contextlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import nats
import pytest
from nats.errors import Error

from feltwork.books.connection import connect
from feltwork.progressive.network import messages as m
from feltwork.servers.nats import EmbeddedNats
from feltwork.servers.nats_config import hub_plan
from feltwork.servers.nats_keys import KeyRing
from feltwork.servers.nats_permissions import SERVER, make_hub_keys
from feltwork.servers.postgres import EmbeddedPostgres
from feltwork.servers.replicas import Replicas
from feltwork.wire import network
from tests.books.hub_room import begin, loaded, new_link, replays, the_claim, the_sum
from tests.sizes import NIGHTLY
from tests.support.postgres import migrated_cluster

#: Sites, claims of each at once, and how often the primary is killed and a standby takes over.
_SIZES = [(2, 500, 20), (5, 500, 20)] if NIGHTLY else [(2, 10, 1)]
_CALM = 100 if NIGHTLY else 5
_SECONDS = 1_800 if NIGHTLY else 90
#: A site asks again after so many seconds.
_AGAIN_SECONDS = 1.0


class Hub:
    """A hub process, its NATS server and three PostgreSQL servers, each of which may be killed."""

    def __init__(self, folder: Path, sites: Sequence[str]) -> None:
        self.link = new_link()
        first = migrated_cluster(folder / "n1").start()
        self._begin(first.dsn(role="writer"), sites)
        others = {name: EmbeddedPostgres(folder / name) for name in ("n2", "n3")}
        self.replicas = Replicas({"n1": first, **others})
        self.ring = KeyRing(folder / "keys")
        users = make_hub_keys(list(sites), self.ring)
        self.nats = EmbeddedNats(folder / "nats", hub_plan(users, self.ring.certificate(SERVER))).start()
        self.process = self._start()

    def _begin(self, dsn: str, sites: Sequence[str]) -> None:
        with connect(dsn) as connection:
            begin(connection, self.link, sites)

    def _start(self) -> subprocess.Popen[bytes]:
        program, keys = str(Path(sys.executable).with_name("feltwork")), str(self.ring.folder)
        options = ["--dsn", self.replicas.dsn, "--nats", self.nats.url, "--keys", keys]
        return subprocess.Popen([program, "hub", *options])

    def kill_process(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process = self._start()

    def kill_nats(self) -> None:
        self.nats.kill()
        self.nats.start()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.nats.remove()
        self.replicas.remove()


class Site:
    """A site that asks again until it is answered."""

    def __init__(self, hub: Hub, name: str) -> None:
        self.hub = hub
        self.name = name
        self.entry = 0
        #: Award -> the grants that were heard of it, and when the first was.
        self.grants: dict[str, set[tuple[int, int]]] = {}
        self.granted_at: dict[str, float] = {}
        self.booked = 0

    async def connect(self) -> None:
        options = self.hub.ring.options(f"site:{self.name}")
        self.client = await nats.connect(
            self.hub.nats.url, max_reconnect_attempts=-1, reconnect_time_wait=0.2, error_cb=_quiet, **options
        )
        await self.client.subscribe(network.downs_of(self.name), cb=self._hear)

    async def _hear(self, raw: Any) -> None:
        message = network.decode_down(raw.subject, raw.data)
        if isinstance(message, m.GrantDown):
            self.granted_at.setdefault(message.award, time.perf_counter())
            self.grants.setdefault(message.award, set()).add((message.entry, message.amount))
        elif isinstance(message, m.BookedDown):
            self.booked = max(self.booked, message.booked_entry)

    def claim(self) -> m.ClaimUp:
        """A new claim, after one more wager."""
        self.entry += 1
        last = the_sum(self.hub.link, self.name, self.entry, self.entry)
        return the_claim(self.hub.link, last, f"{self.name}:T1:{self.entry}:1:1")

    async def ask(self, claim: m.ClaimUp) -> float:
        """Ask until the claim is granted; the seconds that it took."""
        began = time.perf_counter()
        async with asyncio.timeout(_SECONDS):
            while True:
                with contextlib.suppress(Error):
                    await self.client.publish(network.subject_of(claim), network.encode(claim))
                published_at = time.perf_counter()
                while time.perf_counter() - published_at < _AGAIN_SECONDS:
                    if claim.award in self.grants:
                        return self.granted_at[claim.award] - began
                    await asyncio.sleep(0.01 if len(self.grants) < 50 else 0.2)


async def _quiet(_error: Exception) -> None:
    """The site only asks again."""


@pytest.fixture(params=_SIZES, ids=lambda size: f"{size[0]} sites")
def played(request: pytest.FixtureRequest) -> Iterator[tuple[Hub, list[Site], int, int]]:
    sites, claims, failovers = request.param
    names = [chr(ord("A") + number) for number in range(sites)]
    folder = Path(tempfile.mkdtemp(prefix="feltwork-failover-"))
    folder.chmod(0o755)
    hub = Hub(folder, names)
    yield hub, [Site(hub, name) for name in names], claims, failovers
    hub.close()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.timeout(_SECONDS + 120)
@pytest.mark.requirement("GEN-09", "GEN-18")
def test_each_award_is_granted_once_while_the_primary_fails_over(
    played: tuple[Hub, list[Site], int, int],
) -> None:
    hub, sites, claims, failovers = played
    asyncio.run(_play(hub, sites, claims, failovers))
    with connect(hub.replicas.dsn) as connection:
        books = loaded(connection, hub.link)
        replays(connection, hub.link)
    claim_names = {f"{site.name}:T1:{number}:1:1" for site in sites for number in range(1, site.entry + 1)}
    assert books.state.awards.keys() == claim_names, "every claim is an award, and nothing else is"
    grants_by_award = {award: grants for site in sites for award, grants in site.grants.items()}
    locked = {(award.id, award.amount) for award in books.state.awards.values()}
    assert {(award, amount) for award, grants in grants_by_award.items() for _, amount in grants} == locked
    assert all(len(grants) == 1 for grants in grants_by_award.values()), (
        "asked again, it gets the same answer"
    )
    passed = sum(the_sum(hub.link, site.name, site.entry, site.entry).passed for site in sites)
    state, (level,) = books.state, hub.link.level_names
    held = state.meter(level) + state.reserve(level) + sum(amount for _, amount in locked)
    advanced = -state.balances[f"seed_advanced/{hub.link.id}/{level}"]
    assert passed + advanced - held == 0, "in - out - held"


async def _play(hub: Hub, sites: list[Site], claims: int, failovers: int) -> None:
    for site in sites:
        await site.connect()
    calm = sorted([await site.ask(site.claim()) for _ in range(_CALM) for site in sites][len(sites) :])
    print(f"calm: p50 {statistics.median(calm) * 1e3:.0f} ms, p99 {calm[int(len(calm) * 0.99)] * 1e3:.0f} ms")
    began = time.perf_counter()
    asking = [asyncio.create_task(site.ask(site.claim())) for site in sites for _ in range(claims)]
    kills: list[Callable[[], None]] = [hub.kill_process, hub.kill_nats, hub.replicas.restart]
    for number in range(max(failovers, len(kills))):
        await asyncio.to_thread(kills[number % len(kills)])
        if number < failovers:
            await asyncio.to_thread(hub.replicas.fail_over)
            await sites[0].ask(sites[0].claim())
    took = sorted(await asyncio.gather(*asking))
    whole = time.perf_counter() - began
    print(f"{len(took)} at once: p50 {statistics.median(took):.1f} s, all after {whole:.1f} s")
    for site in sites:
        await site.client.close()
