"""The fault test of a network: break every part of it, then compare all books with what was sent."""

import asyncio
import math
import random
import shutil
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from feltwork.operations.connection import UNAVAILABLE, connect
from feltwork.operations.context import Policy, connected
from feltwork.operations.links.links import link as link_of
from feltwork.operations.network.hub_views import network_link
from feltwork.operations.records.audit import export_books
from feltwork.simulation.network.cluster import LINK, REAL_SITES, NetworkCluster
from feltwork.simulation.network.comparison import (
    HUB,
    NetworkComparison,
    SentAward,
    SentByRawSite,
    compare_network,
)
from feltwork.simulation.network.faults import LIARS, NetworkFaults
from feltwork.simulation.network.raw_site import RawSite
from feltwork.simulation.staff import PIN, badge_of
from feltwork.simulation.tally import Tally

ROUNDS_PER_MINUTE = 60.0
HIT_EVERY_SECONDS = 20.0
#: Claims of all raw sites together; each plays once a second.
RAW_CLAIMS_PER_SECOND = 0.5
#: How long to wait for connections and first rounds, and, without faults, for the next sign of progress.
START_SECONDS, SETTLE_SECONDS = 60.0, 120.0
_SLICES = 10


@dataclass
class NetworkTorture:
    """One run."""

    seconds: float
    seed: int
    say: Callable[[str], None]
    sites: int = 100
    #: Number of sites with their own books; the others are raw sites.
    real: int = len(REAL_SITES)
    #: The folder for logs and bundles, if they are kept.
    keep: Path | None = None
    #: Lose wagers of a raw site on purpose.
    drop_one: bool = False
    #: What was sent, for the comparison.
    tallies: dict[str, Tally] = field(default_factory=dict)
    raw: dict[str, SentByRawSite] = field(default_factory=dict)
    _began: float = field(default_factory=time.monotonic)
    _marks: dict[str, float] = field(default_factory=dict)
    _is_playing: bool = True
    _is_settled: bool = False

    async def run(self) -> dict[str, Any]:
        """Start, inject faults, settle and compare; return the report."""
        folder = Path(tempfile.mkdtemp(prefix="feltwork-network-"))
        folder.chmod(0o755)
        stage = NetworkCluster(folder, self.seed, self.sites, self.real)
        # A repair must not wait for threads that wait for it.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(32))
        try:
            await stage.start(rounds_per_minute=ROUNDS_PER_MINUTE)
            self._mark("started")
            return await self._run(stage)
        finally:
            await stage.remove()
            if self.keep:
                data = shutil.ignore_patterns("data", "jetstream", "keys", "postgresql", ".s.*")
                shutil.copytree(folder, self.keep, ignore=data)
            shutil.rmtree(folder, ignore_errors=True)

    async def _run(self, stage: NetworkCluster) -> dict[str, Any]:
        faults = NetworkFaults(
            stage=stage,
            dice=random.Random(f"{self.seed}/faults"),
            say=lambda kind: self.say(f"{self._clock():6.1f} s  {kind}"),
        )
        sites = stage.sites.values()
        playing = [asyncio.create_task(site.floor.run(hit_every=HIT_EVERY_SECONDS)) for site in sites]
        besides = [asyncio.create_task(site.pit.run()) for site in sites]
        besides += [asyncio.create_task(raw.stay_connected()) for raw in stage.raw]
        besides += [asyncio.create_task(self._play(stage.raw)), asyncio.create_task(_look_after(stage))]
        try:
            await self._until(START_SECONDS, lambda: _is_playing(stage))
            self._mark("played")
            await faults.run(self.seconds)
            self._mark("mended")
            self._is_playing = False
            for site in sites:
                site.floor.stop()
            await asyncio.gather(*playing)
            self._mark("stopped")
            await self._settle(stage, faults)
            verdict = await asyncio.to_thread(self._compare, stage)
        finally:
            for task in (*besides, *playing):
                task.cancel()
            await asyncio.gather(*besides, *playing, return_exceptions=True)
        return self._report(stage, faults, verdict)

    async def _play(self, raw: list[RawSite]) -> None:
        """Let raw sites play, a slice of them every tenth of a second; after play they only resend."""
        dice, beat, liars = random.Random(f"{self.seed}/raw"), 0, raw[:LIARS]
        while True:
            for site in raw[beat % _SLICES :: _SLICES]:
                if not self._is_playing:
                    site.ask_again()
                elif site not in liars and dice.random() < RAW_CLAIMS_PER_SECOND / len(raw):
                    site.claim()
                else:
                    site.play()
            beat += 1
            await asyncio.sleep(1 / _SLICES)

    async def _settle(self, stage: NetworkCluster, faults: NetworkFaults) -> None:
        """Wait without faults until every sum is booked and every award is finished, or progress stops."""
        fewest: float = math.inf
        end = time.monotonic() + SETTLE_SECONDS
        while time.monotonic() < end and fewest:
            for liar in stage.raw[:LIARS]:
                await faults.readmit(liar)
            with suppress(*UNAVAILABLE):
                left = await asyncio.to_thread(_unfinished, stage)
                if left < fewest:
                    fewest, end = left, time.monotonic() + SETTLE_SECONDS
            await asyncio.sleep(0.5)
        self._is_settled = not fewest
        self._mark("settled")

    def _compare(self, stage: NetworkCluster) -> NetworkComparison:
        """Export and compare; the hub first, so no site's export ends before its sums booked at the hub."""
        bundles = stage.folder / "bundles"
        for name, dsn in {
            HUB: stage.replicas.dsn,
            **{site.name: site.dsn for site in stage.sites.values()},
        }.items():
            with connect(dsn) as connection:
                export_books(connection, bundles / name)
        self.tallies = {name: site.tally for name, site in stage.sites.items()}
        self.raw = {site.name: _sent(site) for site in stage.raw}
        if self.drop_one:
            self.raw[stage.raw[-1].name].wagers += 2
        verdict = compare_network(bundles, stage.link, self.tallies, self.raw)
        for site in stage.raw:
            for what in site.contradictions:
                verdict.count(what, differences=1)
        if not self._is_settled:
            verdict.count("the network did not settle after faults ended", differences=1)
        self._mark("compared")
        return verdict

    def _report(
        self, stage: NetworkCluster, faults: NetworkFaults, verdict: NetworkComparison
    ) -> dict[str, Any]:
        return {
            "seed": self.seed,
            "seconds": self.seconds,
            "sites": len(stage.sites) + len(stage.raw),
            "real_sites": len(stage.sites),
            "faults": sum(faults.faults.values()),
            "kinds": len(faults.faults),
            "fault_counts": dict(sorted(faults.faults.items())),
            "lost": verdict.lost,
            "double": verdict.double,
            "differences": verdict.differences,
            "wagers": verdict.wagers,
            "claims": verdict.claims,
            "paid": verdict.paid,
            "voided": verdict.voided,
            "rounds": {name: len(tally.kept) for name, tally in self.tallies.items()},
            "problems": verdict.problems[:20],
            "restarts": stage.restarts,
            "took": {name: round(at, 1) for name, at in self._marks.items()},
        }

    async def _until(self, seconds: float, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end and not holds():
            await asyncio.sleep(0.1)

    def _clock(self) -> float:
        return time.monotonic() - self._began

    def _mark(self, name: str) -> None:
        self._marks[name] = self._clock()
        self.say(f"{self._clock():6.1f} s  {name}")


async def _look_after(stage: NetworkCluster) -> None:
    while True:
        await asyncio.sleep(0.5)
        stage.restart_dead_programs()


def _is_playing(stage: NetworkCluster) -> bool:
    """Whether the hub has booked every raw site and every table has played."""
    return all(raw.booked is not None and raw.booked.passed for raw in stage.raw) and all(
        site.tally.kept for site in stage.sites.values()
    )


def _unfinished(stage: NetworkCluster) -> int:
    """Count the open awards, and the sites whose last entry the hub does not have."""
    open_awards = sum(site.pit.open for site in stage.sites.values())
    open_awards += sum(not award.is_done for raw in stage.raw for award in raw.awards.values())
    ends = {raw.name: raw.entry for raw in stage.raw}
    reader, policy = badge_of(stage.house.people["accounting"][0]), Policy(key_required=False)
    for site in stage.sites.values():
        with connected(site.dsn, policy, place="office") as op:
            ends[site.name] = link_of(op.beside(reader, PIN), LINK).entry
    with connected(stage.replicas.dsn, policy, place="office") as op:
        view = network_link(op.beside(reader, PIN), LINK)
    return open_awards + sum(ends[row.site] != row.entry or bool(row.open_awards) for row in view.sites)


def _sent(site: RawSite) -> SentByRawSite:
    awards = {}
    for name, award in site.awards.items():
        if award.handed_over:
            awards[name] = SentAward(end="paid", amount=sum(award.confirmed))
        else:
            awards[name] = SentAward(
                end="voided" if award.is_voided and award.is_wrong else award.refused or "open"
            )
    return SentByRawSite(wagers=site.wagers, awards=awards)
