"""Facts of a network link in the chain of an aggregator, in addition to members and settlements."""

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
    """The growth of the sites' sums in one window, which the aggregator in turn owes the hub above."""

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
        """The growth of the sums, less returned wagers."""
        return sum(self.accrued.values()) + sum(self.reserved.values()) - sum(self.returned.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class CreditRelayed(Fact):
    """The hub above booked an award that a site paid, so both owe that much less; below zero, a reversal."""

    #: The end of the hub's chain in its message, and its hash.
    entry: int
    hash: str
    award: str
    site: str
    amount: Micros
