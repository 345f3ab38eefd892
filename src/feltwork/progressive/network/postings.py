"""Money movements of a network link at a site and at the hub: mirror accounts with opposite signs."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from feltwork.ledger import accounts
from feltwork.ledger.accounts import Account
from feltwork.money import Micros
from feltwork.progressive.facts import Fact
from feltwork.progressive.network import aggregator_facts, facts

_Line: TypeAlias = tuple[Account, Account, Micros]
#: The two ends of clearing: the debt of a site, and the total debt of all sites.
TO_HUB = "hub"
FROM_SITES = "sites"


def _passed_on(fact: facts.PassedOn | facts.SeatPassedOn) -> Iterator[_Line]:
    """Owe the wagers to the network, except for the site's own share."""
    patrons = accounts.patrons(fact.link)
    yield patrons, accounts.clearing(fact.link, TO_HUB), _total(fact.to_meter, fact.to_reserve)
    yield patrons, accounts.retention(fact.link), fact.to_house


def _passed_back(fact: facts.PassedBack) -> Iterator[_Line]:
    """Return wagers: the reverse of passing them on."""
    patrons = accounts.patrons(fact.link)
    yield accounts.clearing(fact.link, TO_HUB), patrons, _total(fact.from_meter, fact.from_reserve)
    yield accounts.retention(fact.link), patrons, fact.from_house


def _granted(fact: facts.Granted) -> Iterator[_Line]:
    """Hold the amount for a claim; the site owes the network less."""
    yield accounts.clearing(fact.link, TO_HUB), accounts.pending(fact.link, fact.level), fact.amount


def _withdrawn(fact: facts.Withdrawn) -> Iterator[_Line]:
    """Reverse a grant."""
    yield accounts.pending(fact.link, fact.level), accounts.clearing(fact.link, TO_HUB), fact.amount


def _summed(fact: facts.Summed) -> Iterator[_Line]:
    """Move the sites' debt to meters and reserves; returned wagers come back out of them."""
    link, clearing = fact.link, accounts.clearing(fact.link, FROM_SITES)
    for level, amount in fact.to_meter.items():
        yield clearing, accounts.meter(link, level), amount
    for pool in (fact.to_reserve, fact.overflow):
        for level, amount in pool.items():
            yield clearing, accounts.reserve(link, level), amount
    for level, amount in fact.from_meter.items():
        yield accounts.meter(link, level), clearing, amount
    for level, amount in fact.from_reserve.items():
        yield accounts.reserve(link, level), clearing, amount
    yield accounts.house_pays(link), clearing, _total(fact.from_house)


def _sums_relayed(fact: aggregator_facts.SumsRelayed) -> Iterator[_Line]:
    """Pass the sites' debt on to the hub above."""
    below, above = accounts.clearing(fact.link, FROM_SITES), accounts.clearing(fact.link, TO_HUB)
    yield from _either_way(below, above, fact.grown)


def _credit_relayed(fact: aggregator_facts.CreditRelayed) -> Iterator[_Line]:
    """Reduce both debts for an award that a site has paid; below zero, the award was reversed."""
    below, above = accounts.clearing(fact.link, FROM_SITES), accounts.clearing(fact.link, TO_HUB)
    yield from _either_way(above, below, fact.amount)


def _handed_over(fact: facts.HandedOver) -> Iterator[_Line]:
    """Reduce the debt of a site that paid the patron."""
    yield accounts.payable(fact.link, fact.award), accounts.clearing(fact.link, FROM_SITES), fact.amount


def _reversal_passed_on(fact: facts.ReversalPassedOn) -> Iterator[_Line]:
    """Owe the network the amount that a reversal put on the meter, as a site has no meter of its own."""
    yield accounts.meter(fact.link, fact.level), accounts.clearing(fact.link, TO_HUB), fact.amount


def _reversal_received(fact: facts.ReversalReceived) -> Iterator[_Line]:
    """Return an award to its sources; its site owes any credit for it again [LT-04]."""
    link, meter = fact.link, accounts.meter(fact.link, fact.level)
    held_by = accounts.clearing(link, FROM_SITES) if fact.handed_over else accounts.payable(link, fact.award)
    yield held_by, meter, fact.to_meter
    yield held_by, accounts.house_pays(link), fact.to_house
    yield meter, accounts.seed_advanced(link, fact.level), fact.seed
    yield meter, accounts.reserve(link, fact.level), fact.reserve


def _settled(fact: facts.Settled) -> Iterator[_Line]:
    """Pay the trust from the site; below zero, the trust pays the site."""
    yield from _either_way(accounts.clearing(fact.link, TO_HUB), accounts.trust(fact.link), fact.amount)


def _settlement_received(fact: facts.SettlementReceived) -> Iterator[_Line]:
    """Book the settlement at the hub, with the opposite sign."""
    yield from _either_way(accounts.trust(fact.link), accounts.clearing(fact.link, FROM_SITES), fact.amount)


def _either_way(source: Account, target: Account, amount: Micros) -> Iterator[_Line]:
    yield (source, target, amount) if amount >= 0 else (target, source, -amount)


def _total(*pools: Mapping[str, Micros]) -> Micros:
    return sum(sum(pool.values()) for pool in pools)


NETWORK_MOVES: Mapping[type[Fact], Callable[[Any], Iterator[_Line]]] = {
    facts.PassedOn: _passed_on,
    facts.SeatPassedOn: _passed_on,
    facts.PassedBack: _passed_back,
    facts.Granted: _granted,
    facts.Withdrawn: _withdrawn,
    facts.ReversalPassedOn: _reversal_passed_on,
    facts.Settled: _settled,
    facts.Summed: _summed,
    facts.HandedOver: _handed_over,
    facts.ReversalReceived: _reversal_received,
    facts.SettlementReceived: _settlement_received,
    aggregator_facts.SumsRelayed: _sums_relayed,
    aggregator_facts.CreditRelayed: _credit_relayed,
}
NETWORK_LAWFUL: Mapping[str, frozenset[str]] = {
    "PassedOn": frozenset({"patrons>clearing", "patrons>retention"}),
    "SeatPassedOn": frozenset({"patrons>clearing", "patrons>retention"}),
    "PassedBack": frozenset({"clearing>patrons", "retention>patrons"}),
    "Granted": frozenset({"clearing>pending"}),
    "Withdrawn": frozenset({"pending>clearing"}),
    "ReversalPassedOn": frozenset({"meter>clearing"}),
    "Settled": frozenset({"clearing>trust", "trust>clearing"}),
    "Summed": frozenset(
        {"clearing>meter", "clearing>reserve", "meter>clearing", "reserve>clearing", "house_pays>clearing"}
    ),
    "HandedOver": frozenset({"payable>clearing"}),
    "ReversalReceived": frozenset(
        {"payable>meter", "payable>house_pays", "clearing>meter", "clearing>house_pays"}
        | {"meter>seed_advanced", "meter>reserve"}
    ),
    "SettlementReceived": frozenset({"trust>clearing", "clearing>trust"}),
    "SumsRelayed": frozenset({"clearing>clearing"}),
    "CreditRelayed": frozenset({"clearing>clearing"}),
}
