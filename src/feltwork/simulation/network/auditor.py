"""The auditor of a simulated network: integer arithmetic on the chains and the observed rounds."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from feltwork.paytables.paytable import Share
from feltwork.progressive.network.hub_books import NetworkMember
from feltwork.progressive.network.messages import SiteSum
from feltwork.simulation.network.chain_reader import ReadChain, read_chain
from feltwork.simulation.network.nodes import SimulatedMember
from feltwork.simulation.network.oracle import CENT, WHOLE, Oracle, check_awards
from feltwork.simulation.network.scenario import SECOND
from feltwork.simulation.network.world import NetworkWorld, PlayedRound

_SILENCE = 10 * SECOND
#: Kind -> its amounts taken out of clearing, and its amounts put back.
_POOLS = {
    "Summed": (("to_meter", "to_reserve", "overflow"), ("from_meter", "from_reserve", "from_house")),
    "SumsRelayed": (("accrued", "reserved"), ("returned",)),
}


def audit_network(world: NetworkWorld) -> list[str]:
    """Return every difference between the chains, and between them and the rounds played."""
    return list(_differences(world))


def _differences(world: NetworkWorld) -> Iterator[str]:
    hub = read_chain("hub", world.hub.journal)
    sites = {name: read_chain(name, member.journal) for name, member in world.sites.items()}
    passed = rows_of(hub, world.hub.journal.rows)
    yield from chain_differences(world, (hub, *sites.values()))
    yield from award_differences(world, hub)
    yield from world.seen
    played, begun = played_in(world), starts_in(world)
    for name, chain in sites.items():
        if passed[name] != played[name]:
            yield f"{name}: {played[name]} was played and {passed[name]} is booked"
        awards = sum(fact["amount"] for fact in hub.of_site("HandedOver", name))
        yield from debts(name, chain, hub, played[name] - awards)
        yield from both_ends(name, chain, hub)
        yield from _cutoffs(world, name, chain, hub)
        yield from starts(world, begun[name], chain, hub)
        yield from _rejoins(world, name, chain)


def chain_differences(world: NetworkWorld, chains: Iterable[ReadChain]) -> Iterator[str]:
    """Yield the errors within the chains themselves."""
    for chain in chains:
        yield from chain.differences
        if any(account.startswith("pending/") and amount for account, amount in chain.balances.items()):
            yield f"{chain.name}: an amount is still pending"


def award_differences(world: NetworkWorld, hub: ReadChain) -> Iterator[str]:
    """Yield awards that do not follow from the inflow and the order of claims."""
    link = world.scenario.link
    shares = {
        row.hand: (row.pays.level, row.pays.basis_points)
        for row in link.paytable.rows
        if isinstance(row.pays, Share)
    }
    seeds = {
        version.fingerprint: {level.name: level.seed for level in version.levels}
        for version in world.scenario.versions
    }
    if link.levels[0].cap < 0:  # The overflow of a cap to the reserve depends on claims voided later.
        yield from check_awards(hub, Oracle(shares, seeds, link.fingerprint))
    yield from _least_amounts(hub, shares)


def rows_of(hub: ReadChain, journal: Mapping[int, Sequence[SiteSum]]) -> dict[str, int]:
    """Return the amount each site has passed on, from the rows of the hub's sums, and verify their digest."""
    total: dict[str, int] = defaultdict(int)
    last: dict[str, int] = {}
    for number, fact in hub.of_kind("Joined", "Summed", "SumsRelayed"):
        if fact["kind"] == "Joined":
            last[fact["site"]] = 0
            continue
        rows = journal[number]
        if hashlib.sha256("\n".join(map(_line, rows)).encode()).hexdigest() != fact["digest"]:
            hub.differences.append(f"hub: the rows of entry {number} are others")
        for row in rows:
            total[row.site] += _sum(row) - last[row.site]
            last[row.site] = _sum(row)
        clearing = -hub.postings[number].get(f"clearing/{fact['link']}/sites", 0)
        names = _POOLS[fact["kind"]]
        pools, back = ([fact[pool] for pool in some] for some in names)
        if clearing != sum(sum(amounts.values()) for amounts in pools) - sum(
            sum(amounts.values()) for amounts in back
        ):
            hub.differences.append(f"hub: entry {number} takes another amount out of clearing")
    return total


def _line(row: SiteSum) -> str:
    pools = (row.accrued, row.reserved, row.returned)
    text = ",".join(str(pool[level]) for pool in pools for level in sorted(pool))
    return f"{row.site} {row.entry} {row.hash} {row.version} {row.wagers} {text}"


def _sum(row: SiteSum) -> int:
    return sum(row.accrued.values()) + sum(row.reserved.values()) - sum(row.returned.values())


def played_in(world: NetworkWorld) -> dict[str, int]:
    """Return the amount each site must have passed on, from the observed wagers."""
    rates = {
        version.fingerprint: [level.contribution for level in version.levels]
        + [level.reserve for level in version.levels]
        for version in world.scenario.versions
    }
    total: dict[str, int] = defaultdict(int)
    for played_round in world.played:
        each = sum(played_round.wager * rate // WHOLE for rate in rates[played_round.version])
        total[played_round.site] += (
            -each * played_round.wagers if played_round.what == "back" else each * played_round.wagers
        )
    return total


def _least_amounts(hub: ReadChain, shares: dict[str, tuple[str, int]]) -> Iterator[str]:
    """Check that, with ``shown``, the least amount is the hand's share of the meter at the entry shown."""
    hands = {fact["award"]: fact["hand"] for _, fact in hub.of_kind("Claimed")}
    for _, fact in hub.of_kind("LeastAmount"):
        level, share = shares[hands[fact["award"]]]
        account = f"meter/{fact['link']}/{level}"
        meter = sum(hub.postings[number].get(account, 0) for number in range(1, fact["entry"] + 1))
        if fact["amount"] != meter * share // WHOLE // CENT * CENT:
            yield f"award {fact['award']}: the sign showed another amount"


def debts(name: str, chain: ReadChain, hub: ReadChain, due: int) -> Iterator[str]:
    """Check that both sides agree on the site's debt: passed on, less awards (``due``), less settlements."""
    own = {fact["number"]: fact["amount"] for _, fact in chain.of_kind("Settled")}
    hub_settlements = {fact["number"]: fact["amount"] for fact in hub.of_site("SettlementReceived", name)}
    if own != hub_settlements:
        yield f"{name}: the settlements differ"
    owed = due - sum(hub_settlements.values())
    if chain.balances.get("clearing/N1/hub", 0) != owed:
        yield f"{name}: it owes {chain.balances.get('clearing/N1/hub', 0)}, and the hub says {owed}"
    received = sum(fact["amount"] for _, fact in chain.of_kind("SettlementReceived"))
    if chain.balances.get("trust/N1", 0) != sum(own.values()) - received:
        yield f"{name}: its trust account is not what it has settled"


def both_ends(name: str, chain: ReadChain, hub: ReadChain) -> Iterator[str]:
    """Check that every award ends once, the same way and with the same amount, at both ends."""
    own = _ends(name, chain, "Paid")
    hub_ends = _ends(name, hub, "HandedOver")
    claimed = {fact["award"] for _, fact in chain.of_kind("Claimed")}
    held: dict[str, int] = defaultdict(int)
    for _, fact in chain.of_kind("Granted", "Withdrawn"):
        held[fact["award"]] += fact["amount"] if fact["kind"] == "Granted" else -fact["amount"]
    for award in sorted({*claimed, *own, *hub_ends, *held}):
        site_ends, other = own.get(award, []), hub_ends.get(award, [])
        if award not in claimed:
            yield f"award {award}: the site has not claimed it"
        if site_ends != other:
            yield f"award {award}: {site_ends} at the site, {other} at the hub"
        if held[award] != (site_ends[-1][1] if site_ends else 0):
            yield f"award {award}: granted {held[award]}, ended {site_ends}"


def _ends(site: str, chain: ReadChain, paid: str) -> dict[str, list[tuple[str, int]]]:
    """Award -> its confirmation and its payment, with their amounts."""
    ends: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for _, fact in chain.of_kind("Confirmed", paid):
        if fact["award"].split(":")[0] == site:
            confirmed = fact["kind"] == "Confirmed"
            amount = fact["from_meter"] + fact["from_house"] if confirmed else fact["amount"]
            ends[fact["award"]].append(("confirmed" if confirmed else "paid", amount))
    return ends


def _cutoffs(world: NetworkWorld, name: str, chain: ReadChain, hub: ReadChain) -> Iterator[str]:
    """Check that the winner's own round is in the hub's sums before the lock."""
    rounds = {
        (table, int(number)): entry
        for entry, fact in chain.of_kind("PassedOn")
        for table, number in fact["rounds"].items()
    }
    booked = 0
    for number, fact in hub.of_kind("Summed", "Claimed"):
        if fact["kind"] == "Summed":
            booked = max([booked, *(row.entry for row in world.hub.journal.rows[number] if row.site == name)])
        elif fact["table"] == name:
            _, table, round_, _, _ = fact["award"].split(":")
            if rounds[table, int(round_)] > booked:
                yield f"award {fact['award']} is locked without its own round"


def starts_in(world: NetworkWorld) -> dict[str, list[PlayedRound]]:
    """Return the rounds that each site has started."""
    rounds_by_site: dict[str, list[PlayedRound]] = defaultdict(list)
    for played_round in world.played:
        if played_round.what == "start":
            rounds_by_site[played_round.site].append(played_round)
    return rounds_by_site


def starts(
    world: NetworkWorld, begun: Sequence[PlayedRound], chain: ReadChain, hub: ReadChain
) -> Iterator[str]:
    """Check that no site starts a round without the hub unless allowed, or with another version."""
    name = chain.name
    stop = world.sites[name].timing.cut_off == "stop"
    snapshot_times, at = world.heard[name], 0
    behind = {site for _, fact in hub.of_kind("ProceededWithout") for site in fact["sites"].split(",")}
    for played_round in begun:
        while at < len(snapshot_times) and snapshot_times[at] <= played_round.at:
            at += 1
        last = snapshot_times[at - 1] if at else 0
        if stop and played_round.at - last > _SILENCE:
            yield f"{name}: a round started {(played_round.at - last) // SECOND} s after the last snapshot"
        if played_round.version != played_round.hub_version and name not in behind:
            yield f"{name}: a round was played with a version that the hub does not have"
    lost, rounds = False, 0
    for _, fact in chain.of_kind("ContactLost", "Rejoined", "PassedOn"):
        if fact["kind"] == "PassedOn" and lost:
            rounds += 1
            if stop or rounds > world.sites[name].timing.most_rounds:
                yield f"{name}: a round started without the hub"
        elif fact["kind"] != "PassedOn":
            lost, rounds = fact["kind"] == "ContactLost", 0


def _rejoins(world: NetworkWorld, name: str, chain: ReadChain) -> Iterator[str]:
    """Check that a site rejoins only once the hub has booked its earlier play and its signs show that."""
    booked = [
        (number, row.entry)
        for number, rows in world.hub.journal.rows.items()
        for row in rows
        if row.site == name
    ]
    before = last = 0
    for entry, fact in chain.of_kind("PassedOn", "ContactLost", "Rejoined"):
        if fact["kind"] == "ContactLost":
            before = last
        elif fact["kind"] == "PassedOn":
            last = entry
        elif before > max((row for number, row in booked if number <= fact["entry"]), default=0):
            yield f"{name}: it rejoined before its sum was booked"


def stuck_in(world: NetworkWorld) -> list[str]:
    """Return everything that has not drained in the calm minute."""
    problems = stuck_awards(world)
    for name, member in world.sites.items():
        problems += stuck_site(world, member, world.hub.books.members[name])
    return problems


def stuck_awards(world: NetworkWorld) -> list[str]:
    """Return awards and versions that wait at the hub."""
    hub = world.hub.books
    problems = [
        f"award {award} is {record.status} at the hub"
        for award, record in hub.state.awards.items()
        if record.status in ("claimed", "confirmed")
    ]
    if hub.change is not None:
        problems.append(f"version {hub.change.version[:8]} waits for a site")
    return problems


def stuck_site(world: NetworkWorld, member: SimulatedMember, known: NetworkMember) -> list[str]:
    """Return everything that waits at a site; ``known`` is the site in the books of its hub or aggregator."""
    books = member.books
    problems = [f"award {award.id} is {award.stage} at its site" for award in books.open.values()]
    if books.joined:
        holds = {
            "has not rejoined": books.lost is not None,
            "has a settlement that is not booked": books.settling is not None,
            "plays another version": books.state.link != world.hub.books.state.link,
            "has a sum that is not booked": books.sum(books.hub).passed != known.sum.passed,
            "has an open round": not member.idle,
        }
        problems += [f"{member.name} {what}" for what, is_so in holds.items() if is_so]
    return problems
