"""Reads a chain of a simulated network with nothing but JSON, SHA-256 and integers."""

import hashlib
import json
from collections import defaultdict
from dataclasses import dataclass, field
from heapq import merge
from operator import itemgetter
from typing import Any, TypeAlias

from feltwork.simulation.network.journal import SimulatedJournal

PlainFact: TypeAlias = dict[str, Any]


@dataclass(slots=True)
class ReadChain:
    """The facts of a chain with their numbers, and the balances that its postings sum to."""

    name: str
    facts: list[tuple[int, PlainFact]] = field(default_factory=list)
    balances: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    #: Number of an entry -> the postings to each account.
    postings: dict[int, dict[str, int]] = field(default_factory=dict)
    differences: list[str] = field(default_factory=list)
    _by_kind: dict[str, list[tuple[int, PlainFact]]] = field(default_factory=lambda: defaultdict(list))
    _by_site: dict[tuple[str, str], list[PlainFact]] = field(default_factory=lambda: defaultdict(list))

    def add(self, number: int, fact: PlainFact) -> None:
        """Record the fact of an entry."""
        self.facts.append((number, fact))
        self._by_kind[fact["kind"]].append((number, fact))
        if "site" in fact:
            self._by_site[fact["kind"], fact["site"]].append(fact)

    def of_kind(self, *kinds: str) -> list[tuple[int, PlainFact]]:
        """Return the facts of some kinds, in order; indexed, because a hub's are read once for each site."""
        groups = [self._by_kind[kind] for kind in kinds if kind in self._by_kind]
        return groups[0] if len(groups) == 1 else list(merge(*groups, key=itemgetter(0)))

    def of_site(self, kind: str, site: str) -> list[PlainFact]:
        """The facts of a kind that name a site."""
        return self._by_site.get((kind, site), [])


def read_chain(name: str, journal: SimulatedJournal[Any]) -> ReadChain:
    """Check hashes, numbers and balances of every entry."""
    chain = ReadChain(name)
    previous = "0" * 64
    for number, chained in enumerate(journal.entries, 1):
        body = json.loads(chained.body)
        text = chained.entry.fact
        if hashlib.sha256(chained.body.encode()).hexdigest() != chained.hash:
            chain.differences.append(f"{name}: entry {number} has another hash")
        if (body["number"], body["previous"]) != (number, previous):
            chain.differences.append(f"{name}: entry {number} does not follow the one before")
        if hashlib.sha256(text.encode()).hexdigest() != body["references"]["fact"]:
            chain.differences.append(f"{name}: entry {number} names another fact")
        if sum(amount for _, amount in body["postings"]):
            chain.differences.append(f"{name}: entry {number} is out of balance")
        for account, amount in body["postings"]:
            chain.balances[account] += amount
            if chain.balances[account] < 0 and account.split("/")[0] in ("meter", "reserve", "payable"):
                chain.differences.append(f"{name}: {account} is below zero after entry {number}")
        chain.postings[number] = dict(body["postings"])
        chain.add(number, json.loads(text))
        previous = chained.hash
    return chain
