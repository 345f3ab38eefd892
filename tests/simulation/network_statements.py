"""Statements of both sides of a simulated network, each read from its own chain as plain integers."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from feltwork.ledger.chain import Chained
from feltwork.progressive.network.statement import statement_of_hub, statement_of_site
from feltwork.simulation.network import people
from feltwork.simulation.network.auditor import stuck_in
from feltwork.simulation.network.scenario import SECOND, scenario_of
from feltwork.simulation.network.world import CALM, NetworkWorld

#: How often both sides are asked in the middle of play and faults.
EVERY = 20 * SECOND


@dataclass(slots=True)
class Lines:
    """What one side says of a membership: amounts by the name of what moved them."""

    #: The end of the site's chain that this side knows.
    entry: int = 0
    passed: int = 0
    awards: dict[str, int] = field(default_factory=dict)
    settled: dict[int, int] = field(default_factory=dict)

    @property
    def owed(self) -> int:
        return self.passed - sum(self.awards.values()) - sum(self.settled.values())


def site_lines(entries: Sequence[Chained]) -> Iterator[Lines]:
    """What a site says after each of its entries."""
    lines = Lines()
    for number, chained in enumerate(entries, 1):
        kind = chained.entry.kind
        if kind in ("Joined", "PassedOn", "SeatPassedOn", "PassedBack", "Paid", "Settled"):
            fact = json.loads(chained.entry.fact)
            lines = Lines(number, lines.passed, dict(lines.awards), dict(lines.settled))
            if kind == "Joined":
                lines = Lines(number)
            elif kind == "Paid":
                lines.awards[fact["award"]] = fact["amount"]
            elif kind == "Settled":
                lines.settled[fact["number"]] = fact["amount"]
            else:
                lines.passed += _total(fact, "to_meter", "to_reserve") - _total(
                    fact, "from_meter", "from_reserve"
                )
        yield lines


def _total(fact: dict[str, Any], *pools: str) -> int:
    return sum(sum(fact.get(pool, {}).values()) for pool in pools)


def hub_lines(world: NetworkWorld, site: str, until: int) -> Lines:
    """What the hub says of a site after one of its entries."""
    lines = Lines()
    for number, chained in enumerate(world.hub.journal.entries[:until], 1):
        kind = chained.entry.kind
        if kind == "Summed":
            for row in world.hub.journal.rows[number]:
                if row.site == site:
                    fed, back = (row.accrued, row.reserved), row.returned
                    lines.entry = row.entry
                    lines.passed = sum(sum(pool.values()) for pool in fed) - sum(back.values())
        elif kind in ("Joined", "HandedOver", "SettlementReceived"):
            fact = json.loads(chained.entry.fact)
            if fact["site"] != site:
                continue
            if kind == "Joined":
                lines = Lines(fact["entry"])
            elif kind == "HandedOver":
                lines.awards[fact["award"]] = fact["amount"]
            else:
                lines.settled[fact["number"]] = fact["amount"]
    return lines


@dataclass(slots=True)
class StatementRun:
    """What some histories came to."""

    histories: int = 0
    compared: int = 0
    #: Named items in transit, by what they are.
    transit: Counter[str] = field(default_factory=Counter)
    awards: int = 0
    settlements: int = 0
    differences: list[str] = field(default_factory=list)

    def play(self, seed: int, *, sites: int, minutes: int) -> None:
        """Play a history, compare both sides in the middle of it, and again after the calm minute."""
        world = NetworkWorld(scenario_of(seed, sites), minutes)
        people.start(world)
        opening = world.hub.books, {name: member.books for name, member in world.sites.items()}
        cuts = list(_cuts(world))
        self.histories += 1
        stuck = stuck_in(world)
        self.differences += [f"seed {seed}: {what}" for what in stuck]
        for name, member in world.sites.items():
            lines_by_entry = [Lines(), *site_lines(member.journal.entries)]
            for hub_end, ends in cuts:
                self._compare(
                    f"seed {seed}, {name}", lines_by_entry[: ends[name] + 1], hub_lines(world, name, hub_end)
                )
            own, hub = lines_by_entry[-1], hub_lines(world, name, len(world.hub.journal.entries))
            ends_equal = (own.passed, own.awards, own.settled) == (hub.passed, hub.awards, hub.settled)
            if not stuck and not ends_equal:
                self.differences.append(f"seed {seed}, {name}: {own} at the site, {hub} at the hub")
            self.awards += len(own.awards)
            self.settlements += len(own.settled)
            if member.books.base == opening[1][name].base:  # one membership
                statement = statement_of_site(opening[1][name], member.books)
                others = statement_of_hub(opening[0], world.hub.books, name)
                if not statement.closing == others.closing == own.owed == hub.owed:
                    self.differences.append(
                        f"seed {seed}, {name}: the statements end elsewhere than the chains"
                    )

    def _compare(self, where: str, lines_by_entry: Sequence[Lines], hub: Lines) -> None:
        """The two sides are equal but for items that can be named, and the hub never knows more."""
        own = lines_by_entry[-1]
        self.compared += 1
        if hub.entry >= len(lines_by_entry) or (
            lines_by_entry[hub.entry].passed != hub.passed and hub.passed
        ):
            self.differences.append(f"{where}: entry {hub.entry} has not passed on {hub.passed}")
            return
        late = {
            "sum": own.passed - hub.passed,
            "awards": _later(own.awards, hub.awards),
            "settled": _later(own.settled, hub.settled),
        }
        for name, amount in late.items():
            if amount is None:
                self.differences.append(f"{where}: {name} of the hub are not those of the site")
            elif amount:
                self.transit[name] += 1
        amounts = [amount or 0 for amount in late.values()]
        if own.owed - hub.owed != amounts[0] - amounts[1] - amounts[2]:
            self.differences.append(
                f"{where}: it owes {own.owed}, the hub says {hub.owed}, in transit {late}"
            )


def _later(own: dict[Any, int], hub: dict[Any, int]) -> int | None:
    """What the hub has not booked yet; nothing can be said where it has booked something else."""
    if any(own.get(name) != amount for name, amount in hub.items()):
        return None
    return sum(amount for name, amount in own.items() if name not in hub)


def _cuts(world: NetworkWorld) -> Iterator[tuple[int, dict[str, int]]]:
    """Run to the end, with the ends of all chains at the same moments on the way."""
    at = world.now + EVERY
    while at < world.calm_at + CALM:
        world.run_until(at)
        yield (
            len(world.hub.journal.entries),
            {name: len(member.journal.entries) for name, member in world.sites.items()},
        )
        at += EVERY
    world.run()
