"""Runs seeds of a simulated network or card room: play, a calm minute, the audit."""

import hashlib
import time
import traceback
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from feltwork.progressive.network.hub_books import HubBooks
from feltwork.progressive.network.site_books import SiteBooks
from feltwork.progressive.network.statement import in_transit, statement_of_hub, statement_of_site
from feltwork.simulation.card_room.auditor import audit_room
from feltwork.simulation.card_room.world import RoomWorld
from feltwork.simulation.network import people
from feltwork.simulation.network.auditor import audit_network, stuck_in
from feltwork.simulation.network.scenario import scenario_of
from feltwork.simulation.network.tree import TreeWorld
from feltwork.simulation.network.tree_auditor import audit_tree, stuck_in_tree
from feltwork.simulation.network.world import MANY, NetworkWorld


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedResult:
    """The result of one seed."""

    seed: int
    awards: int
    messages: int
    crashes: int
    differences: tuple[str, ...]
    stuck: tuple[str, ...]
    #: The last hash of the hub's chain, then of each site's: the same on every machine.
    tails: tuple[str, ...]


@dataclass(slots=True)
class VoprReport:
    """The results of several seeds."""

    sites: int
    minutes: int
    cpu_seconds: float = 0
    results: list[SeedResult] = field(default_factory=list)

    @property
    def failed(self) -> list[SeedResult]:
        """The seeds with a difference, or with something stuck."""
        return [result for result in self.results if result.differences or result.stuck]

    @property
    def digest(self) -> str:
        """SHA-256 over a line for each seed with the ends of its chains."""
        lines = "\n".join(" ".join(result.tails) for result in self.results)
        return hashlib.sha256(lines.encode()).hexdigest()

    @property
    def plain(self) -> dict[str, int | float | str]:
        """The report as ``--json`` prints it."""
        hours = len(self.results) * self.sites * self.minutes / 60
        return {
            "seeds": len(self.results),
            "site_hours": round(hours, 2),
            "awards": sum(result.awards for result in self.results),
            "messages": sum(result.messages for result in self.results),
            "crashes": sum(result.crashes for result in self.results),
            "differences": sum(len(result.differences) for result in self.results),
            "stuck": sum(len(result.stuck) for result in self.results),
            "digest": self.digest,
            "site_hours_per_cpu_second": round(hours / self.cpu_seconds, 2) if self.cpu_seconds else 0.0,
        }


def run_seed(seed: int, *, sites: int, minutes: int, aggregators: int = 0) -> SeedResult:
    """Play one seed; a failed assertion of the rules is a difference too."""
    world = _world(seed, sites, minutes, aggregators)
    people.start(world)
    opening = world.hub.books, {name: member.books for name, member in world.sites.items()}
    differences: list[str] = []
    stuck: list[str] = []
    try:
        world.run()
        stuck = stuck_in_tree(world) if isinstance(world, TreeWorld) else stuck_in(world)
        if not stuck and isinstance(world, TreeWorld):
            differences = audit_tree(world)
        elif not stuck:
            differences = [*audit_network(world), *_unequal(world, *opening)]
    except Exception as error:
        differences = [_failure(error)]
    tails = [world.hub.books.tail.hash, *(member.books.tail.hash for member in world.sites.values())]
    if isinstance(world, TreeWorld):
        tails += [node.books.below.tail.hash for node in world.aggregators.values()]
    return SeedResult(
        seed=seed,
        awards=len(world.hub.books.state.awards),
        messages=world.messages,
        crashes=world.crashes,
        differences=tuple(differences),
        stuck=tuple(stuck),
        tails=tuple(tails),
    )


def run_room(seed: int, *, tables: int, minutes: int) -> SeedResult:
    """Play one card room: its tables, the log of their messages and its bookkeeper."""
    world = RoomWorld(seed, tables, minutes)
    try:
        world.run()
        differences = audit_room(world)
    except Exception as error:
        differences = [_failure(error)]
    return SeedResult(
        seed=seed,
        awards=len(world.books.state.awards),
        messages=world.messages,
        crashes=world.crashes,
        differences=tuple(differences),
        stuck=tuple(f"step {step} of round {number} at {table}" for table, number, step in world.unsettled),
        tails=(world.books.tail.hash,),
    )


def _failure(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {frame.name}: {error}"


def _world(seed: int, sites: int, minutes: int, aggregators: int) -> NetworkWorld:
    scenario = scenario_of(seed, sites)
    # Awards are confirmed one after another, so with many sites each claims less often.
    claim = scenario.play.claim * min(1.0, MANY / sites)
    scenario = replace(scenario, play=replace(scenario.play, claim=claim))
    if not aggregators:
        return NetworkWorld(scenario, minutes)
    # Sites below an aggregator do not leave, are not left behind by a version, and send no contradicting
    # sums.
    play = replace(scenario.play, leave=0.0, proceed=0.0)
    faults = replace(scenario.faults, rolled_back=0.0)
    world = TreeWorld(replace(scenario, play=play, faults=faults), minutes, aggregators)
    world.start_aggregators()
    return world


def _unequal(world: NetworkWorld, hub: HubBooks, sites: Mapping[str, SiteBooks]) -> Iterator[str]:
    """Describe statements of the whole run that differ; a site that rejoined has no opening to compare."""
    for name, before in sites.items():
        now = world.sites[name].books
        if now.base == before.base:
            own, hubs = statement_of_site(before, now), statement_of_hub(hub, world.hub.books, name)
            if lines := in_transit(own, hubs):
                yield f"{name}: the statements differ: {lines}"
            if own.closing != now.owes:
                yield f"{name}: the statement ends at {own.closing} and the account at {now.owes}"


def run_seeds(
    seeds: Iterable[int], *, sites: int, minutes: int, aggregators: int = 0, tables: int = 0
) -> VoprReport:
    """Play some seeds and measure them; with ``tables``, play one card room instead of a network."""
    report = VoprReport(sites=1 if tables else sites, minutes=minutes)
    begun = time.process_time()
    for seed in seeds:
        if tables:
            result = run_room(seed, tables=tables, minutes=minutes)
        else:
            result = run_seed(seed, sites=sites, minutes=minutes, aggregators=aggregators)
        report.results.append(result)
    report.cpu_seconds = time.process_time() - begun
    return report
