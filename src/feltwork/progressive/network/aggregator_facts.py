"""Facts of a network link in the chain of an aggregator, beside those of members and settlements."""

from collections.abc import Mapping
from dataclasses import dataclass

from feltwork.money import Micros
from feltwork.progressive.facts import Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class AggregatorOpened(Fact):
    """Two people opened the link at an aggregator; the hub above admits it by this name and agreement."""

    version: str
    site: str
    agreement: str
    #: The most that it may owe the hub above.
    limit: Micros
    by: str
    approved_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SumsRelayed(Fact):
    """The growth of the sites' sums in one window: what they owe, the aggregator owes the hub above."""

    #: SHA-256 of the rows, see ``SumRows.digest``.
    digest: str
    sites: int
    wagers: int
    wagered: Micros
    accrued: Mapping[str, Micros]
    reserved: Mapping[str, Micros]
    returned: Mapping[str, Micros]

    @property
    def grown(self) -> Micros:
        """By how much the sums have grown, returned wagers deducted."""
        return sum(self.accrued.values()) + sum(self.reserved.values()) - sum(self.returned.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class CreditRelayed(Fact):
    """The hub above has booked that a site paid an award: both owe that much less; below zero, a reversal."""

    #: The end of the hub's chain that says so, and its hash.
    entry: int
    hash: str
    award: str
    site: str
    amount: Micros
