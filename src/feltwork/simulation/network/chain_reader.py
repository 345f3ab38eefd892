"""Reads a chain of a simulated network with nothing but JSON, SHA-256 and integers."""

import hashlib
import json
from collections import defaultdict
from dataclasses import dataclass, field
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

    def of_kind(self, *kinds: str) -> list[tuple[int, PlainFact]]:
        """The facts of some kinds."""
        return [(number, fact) for number, fact in self.facts if fact["kind"] in kinds]


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
        chain.facts.append((number, json.loads(text)))
        previous = chained.hash
    return chain
