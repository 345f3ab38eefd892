"""Runs seeds of a simulated network: play, a calm minute, the audit."""

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from feltwork.progressive.network.hub_books import HubBooks
from feltwork.progressive.network.site_books import SiteBooks
from feltwork.progressive.network.statement import in_transit, statement_of_hub, statement_of_site
from feltwork.simulation.card_room.runner import SeedResult, VoprReport, failure
from feltwork.simulation.network import people
from feltwork.simulation.network.auditor import audit_network, stuck_in
from feltwork.simulation.network.scenario import scenario_of
from feltwork.simulation.network.tree import TreeWorld
from feltwork.simulation.network.tree_auditor import audit_tree, stuck_in_tree
from feltwork.simulation.network.world import MANY, NetworkWorld


@dataclass(kw_only=True)
class NetworkReport(VoprReport):
    """The results of several seeds of a network."""

    sites: int

    @property
    def site_hours(self) -> float:
        """Hours of play, of all sites and seeds together."""
        return len(self.results) * self.sites * self.minutes / 60


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
        differences = [failure(error)]
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


def run_seeds(seeds: Iterable[int], *, sites: int, minutes: int, aggregators: int = 0) -> NetworkReport:
    """Play some seeds and measure them."""
    report = NetworkReport(sites=sites, minutes=minutes)
    begun = time.process_time()
    for seed in seeds:
        report.results.append(run_seed(seed, sites=sites, minutes=minutes, aggregators=aggregators))
    report.cpu_seconds = time.process_time() - begun
    return report
