"""The bundles of a network's day, made by the rules, and how long `verify_books.py --network` takes.

    uv run python bench/network_day.py --sites 100 --hours 24

Every site plays a round each 20 seconds with one to six wagers; the hub books its sums in windows of half a
second. Nothing is lost, and nobody wins: the entries are those that a verifier has most of.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from itertools import groupby
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from feltwork.money import DOLLAR
from feltwork.progressive import round as rounds
from feltwork.progressive.facts import HOUR, Instant
from feltwork.progressive.network import hub, site_rounds
from feltwork.progressive.network.messages import SiteSum
from feltwork.simulation.network.nodes import SimulatedMember
from feltwork.simulation.network.scenario import BEGIN, HUB_TIMING, SECOND, scenario_of
from feltwork.simulation.network.world import NetworkWorld, PlayedRound
from tests.simulation.network_bundles import write_bundles, write_site

ROOT = Path(__file__).parent.parent
_EVERY: Instant = 20 * SECOND


def main() -> None:
    """Make the bundles, verify them, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sites", type=int, default=100)
    parser.add_argument("--hours", type=int, default=24)
    options = parser.parse_args()
    scenario = replace(scenario_of(1, options.sites), limit=10**9 * DOLLAR)
    world = NetworkWorld(scenario, options.hours * 60)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sums: list[tuple[Instant, SiteSum]] = []
        for number, member in enumerate(world.sites.values()):
            sums += _play(world, member, first=number * _EVERY // options.sites, hours=options.hours)
            write_site(world, folder / member.name, member)
            world.played.clear()
            member.journal.entries.clear()
        _book(world, sums)
        names, world.sites = list(world.sites), {}
        bundles = [*write_bundles(world, folder), *(folder / name for name in names)]
        entries = len(world.hub.journal.entries) + len(sums) + len(names)
        begun = time.monotonic()
        process = subprocess.run(
            [sys.executable, ROOT / "tools" / "verify_books.py", "--network", "--no-signature", *bundles],
            capture_output=True,
            text=True,
            check=False,
        )
        took = time.monotonic() - begun
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(process.stdout.splitlines()[-1])
    cpu = used.ru_utime + used.ru_stime
    print(f"{entries} entries and {len(sums)} sums: {took:.1f} s, {cpu:.1f} s of processor time")


def _play(
    world: NetworkWorld, member: SimulatedMember, *, first: Instant, hours: int
) -> list[tuple[Instant, SiteSum]]:
    """The rounds of a site, and its sum after each."""
    sums = []
    round_ = member.tables["T1"]
    for number, at in enumerate(range(BEGIN + SECOND + first, BEGIN + hours * HOUR, _EVERY)):
        seats = range(1, 2 + number % 6)
        round_, started = rounds.start(round_, covered=seats, players=seats, takes_wagers=True, at=at)
        round_, _ = rounds.end(round_, at=at)
        passed = site_rounds.pass_on(member.books.state, [started], at=at).fact
        assert passed is not None
        member.commit([passed])
        link = member.books.state.link
        fields = {"wagers": len(seats), "wager": link.wager, "version": link.fingerprint, "what": "start"}
        world.played.append(
            PlayedRound(site=member.name, at=at, hub_version=link.fingerprint, started=started, **fields)
        )
        sums.append((at, member.books.sum(world.hub.books.tail)))
    return sums


def _book(world: NetworkWorld, sums: list[tuple[Instant, SiteSum]]) -> None:
    """Let the hub book the sums of each window."""
    node = world.hub
    sums.sort(key=lambda pair: pair[0])
    for window, some in groupby(sums, key=lambda pair: pair[0] // HUB_TIMING.window):
        at = (window + 1) * HUB_TIMING.window
        intake = hub.receive_sums(node.books, node.memory, [new for _, new in some], node.journal, at)
        step = hub.tick(node.books, intake.memory, HUB_TIMING, at)
        node.memory = step.memory
        node.commit([*intake.facts, *step.facts], step.rows)


if __name__ == "__main__":
    main()
