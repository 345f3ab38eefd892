"""The auditor of a simulated network of two levels: the same integer arithmetic, one level at a time."""

from collections.abc import Iterator

from feltwork.simulation.network import auditor
from feltwork.simulation.network.chain_reader import ReadChain, read_chain
from feltwork.simulation.network.tree import SimulatedAggregator, TreeWorld


def audit_tree(world: TreeWorld) -> list[str]:
    """Return every difference between the chains of both levels, and between them and the rounds played."""
    return list(_differences(world))


def _differences(world: TreeWorld) -> Iterator[str]:
    hub = read_chain("hub", world.hub.journal)
    sites = {name: read_chain(name, member.journal) for name, member in world.sites.items()}
    nodes = {name: read_chain(name, node.journal) for name, node in world.aggregators.items()}
    yield from auditor.chain_differences(world, (hub, *sites.values(), *nodes.values()))
    yield from auditor.award_differences(world, hub)
    yield from world.seen
    played, passed = auditor.played_in(world), auditor.rows_of(hub, world.hub.journal.rows)
    begun = auditor.starts_in(world)
    for name, node in nodes.items():
        aggregator = world.aggregators[name]
        below = auditor.rows_of(node, aggregator.journal.rows)
        own_sites = [site for site, above in world.above.items() if above is aggregator]
        if sum(below.values()) != passed[name]:
            yield f"{name}: {sum(below.values())} is booked of its sites, and {passed[name]} above"
        credit = sum(fact["amount"] for fact in hub.of_site("HandedOver", name))
        yield from auditor.debts(name, node, hub, passed[name] - credit)
        yield from _credits(node, hub)
        for site in own_sites:
            if below[site] != played[site]:
                yield f"{site}: {played[site]} was played and {below[site]} is booked"
            paid = node.of_site("CreditRelayed", site)
            yield from auditor.debts(site, sites[site], node, below[site] - sum(f["amount"] for f in paid))
            yield from auditor.both_ends(site, sites[site], hub)
            yield from auditor.starts(world, begun[site], sites[site], hub)
            yield from _cutoffs(world, site, sites[site], aggregator, hub)
    for chain in (hub, *nodes.values()):
        yield from chain.differences


def _credits(node: ReadChain, hub: ReadChain) -> Iterator[str]:
    """Check that every award credited to an aggregator by the hub is credited once to its site."""
    own = sorted((fact["award"], fact["amount"]) for _, fact in node.of_kind("CreditRelayed"))
    hub_credits = sorted(
        (fact["award"], fact["amount"]) for _, fact in hub.of_kind("HandedOver") if fact["site"] == node.name
    )
    if own != hub_credits:
        yield f"{node.name}: the credits of awards differ"


def _cutoffs(
    world: TreeWorld, site: str, chain: ReadChain, node: SimulatedAggregator, hub: ReadChain
) -> Iterator[str]:
    """Check that the winner's own round is in the aggregator's sum that the hub booked before the lock."""
    if not any(fact["award"].startswith(f"{site}:") for _, fact in hub.of_kind("Claimed")):
        return
    rounds = {
        (table, int(number)): entry
        for entry, fact in chain.of_kind("PassedOn")
        for table, number in fact["rounds"].items()
    }
    booked = 0
    for number, fact in hub.of_kind("Summed", "Claimed"):
        if fact["kind"] == "Summed":
            rows = world.hub.journal.rows[number]
            booked = max([booked, *(row.entry for row in rows if row.site == node.name)])
        elif fact["award"].split(":")[0] == site:
            _, table, round_, _, _ = fact["award"].split(":")
            own = [
                row.entry
                for entry, rows in node.journal.rows.items()
                for row in rows
                if entry <= booked and row.site == site
            ]
            if rounds[table, int(round_)] > max(own, default=0):
                yield f"award {fact['award']} is locked without its own round"


def stuck_in_tree(world: TreeWorld) -> list[str]:
    """Return everything that has not drained in the calm minute."""
    problems = auditor.stuck_awards(world)
    for name, member in world.sites.items():
        problems += auditor.stuck_site(world, member, world.above[name].books.below.members[name])
    for name, node in world.aggregators.items():
        if node.books.settling is not None:
            problems.append(f"{name} has a settlement that is not booked")
        if node.books.sum(world.hub.books.tail).passed != world.hub.books.members[name].sum.passed:
            problems.append(f"{name} has a sum that is not booked")
    return problems
