"""Facts of a network link, in the chain of a site and in the chain of the hub.

They are separate kinds, because a new field in an older fact would break its replay.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from feltwork.money import Micros
from feltwork.progressive.facts import Fact, Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class _ByTwoPeople(Fact):
    by: str
    approved_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _HubTail(Fact):
    """The entry of the hub's chain that a site acts on, and its hash."""

    entry: int
    hash: str


# --- at both: the agreement ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined(_ByTwoPeople):
    """A site and the hub share the link from now on; entry and hash are the end of the other's chain."""

    site: str
    agreement: str
    #: The most that the site may owe.
    limit: Micros
    entry: int
    hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Left(_ByTwoPeople):
    """The site has left, with nothing open and nothing owed; entry and hash as in ``Joined``."""

    site: str
    entry: int
    hash: str


# --- at a site ---


@dataclass(frozen=True, slots=True, kw_only=True)
class PassedOn(Fact):
    """A batch of rounds was booked; the network's share is owed to the hub."""

    paytable: str
    version: str
    wager: Micros
    #: Table -> the rounds covered, as text: ``101-151,153``.
    rounds: Mapping[str, str]
    #: Table -> wagers taken.
    wagers: Mapping[str, int]
    #: SHA-256 of the rounds with their times and seats.
    digest: str
    to_meter: Mapping[str, Micros]
    to_reserve: Mapping[str, Micros]
    to_house: Micros

    def __post_init__(self) -> None:
        parts = self.to_house + sum(self.to_meter.values()) + sum(self.to_reserve.values())
        if parts != sum(self.wagers.values()) * self.wager:
            raise ValueError(f"{self.link}: what is passed on and kept must sum to the wagers [WA-05]")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPassedOn(Fact):
    """Before the first card, a seat was added to a round."""

    table: str
    round: int
    seat: int
    version: str
    wager: Micros
    to_meter: Mapping[str, Micros]
    to_reserve: Mapping[str, Micros]
    to_house: Micros
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PassedBack(Fact):
    """Wagers were returned: those of a misdealt round, or of one seat before the first card."""

    table: str
    round: int
    #: The seats, as text: ``1,4``.
    seats: str
    #: Whether the whole round is void.
    misdeal: bool
    version: str
    wagers: int
    from_meter: Mapping[str, Micros]
    from_reserve: Mapping[str, Micros]
    from_house: Micros
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SignAtClaim(_HubTail):
    """The display of the site's signs when a claim was made: the hub's meters after this entry."""

    award: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Granted(_HubTail):
    """The hub has locked an amount for an award."""

    award: str
    level: str
    amount: Micros


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawn(_HubTail):
    """A grant is void: the claim was cleared, or the hub has locked another amount for it."""

    award: str
    level: str
    amount: Micros


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedOff(Fact):
    """The site's people confirmed a grant; it is owed once the hub has confirmed it too."""

    award: str
    #: The hub's entry that locked the amount they saw.
    grant: int
    amount: Micros
    supervisor: str
    executive: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReversalPassedOn(Fact):
    """The amount put back by a reversal was passed on to the network."""

    award: str
    level: str
    amount: Micros


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledged(_HubTail):
    """The hub has booked a payment, a reversal or a settlement of this site, so retries stop."""

    #: paid, reversed or settled.
    what: str
    #: The award, or the number of the settlement.
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Halted(_HubTail):
    """The site takes no wagers: a change is proposed, the hub stops it, or it wants to leave."""

    #: change, hub, leave or rolled_back.
    cause: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Continued(_HubTail):
    """The cause of a halt is gone."""

    cause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactLost(Fact):
    """No snapshot from the hub has arrived since this time."""

    since: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejoined(_HubTail):
    """Contact is restored, the site's sum is booked, and its signs show the hub's meters [GEN-18]."""

    since: Instant
    #: Amount that the site has passed on, and the part that the hub has booked.
    passed: Micros
    booked: Micros


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionAdopted(_HubTail):
    """The site plays the version that took effect at this entry of the hub."""

    before: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled(_ByTwoPeople):
    """The site paid the trust this amount or, below zero, received it."""

    number: int
    amount: Micros


# --- at the hub ---


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementReceived(_ByTwoPeople):
    """The trust received a site's settlement of that number or, below zero, paid it."""

    site: str
    number: int
    amount: Micros


@dataclass(frozen=True, slots=True, kw_only=True)
class Summed(Fact):
    """The growth of the sites' sums in one window, and the digest of the rows by site."""

    #: SHA-256 of the rows, see ``SumRows.digest``.
    digest: str
    sites: int
    wagers: int
    wagered: Micros
    to_meter: Mapping[str, Micros]
    to_reserve: Mapping[str, Micros]
    #: Excess over a cap, which also goes to the reserve.
    overflow: Mapping[str, Micros]
    #: Sources of returned wagers; the sponsor adds what the pools lack.
    from_meter: Mapping[str, Micros]
    from_reserve: Mapping[str, Micros]
    #: The part of ``from_reserve`` that a cap had sent there.
    from_overflow: Mapping[str, Micros]
    from_house: Mapping[str, Micros]

    @property
    def grown(self) -> Micros:
        """The growth of the sums, less returned wagers."""
        inflow = sum(sum(pool.values()) for pool in (self.to_meter, self.to_reserve, self.overflow))
        return inflow - sum(
            sum(pool.values()) for pool in (self.from_meter, self.from_reserve, self.from_house)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LeastAmount(Fact):
    """With ``several_sites = shown``: the minimum of an award, paid from the meter on the site's sign."""

    award: str
    #: The entry after which the sign showed the meter.
    entry: int
    amount: Micros


@dataclass(frozen=True, slots=True, kw_only=True)
class Barred(Fact):
    """A site cleared a claim before it arrived; if it arrives late, nothing is locked for it."""

    site: str
    award: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Countersigned(Fact):
    """An executive of the hub agreed to a lock."""

    award: str
    #: The entry of the lock.
    grant: int
    executive: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedOver(Fact):
    """A site has paid an award for the network, and owes that much less."""

    award: str
    site: str
    amount: Micros


@dataclass(frozen=True, slots=True, kw_only=True)
class ReversalReceived(_ByTwoPeople):
    """Two people at a site reversed an award; the site owes any credit for it again."""

    award: str
    site: str
    level: str
    to_meter: Micros
    to_house: Micros
    seed: Micros
    reserve: Micros
    #: Whether the site had been credited.
    handed_over: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeProposed(_ByTwoPeople):
    """A new version waits until every site is ready for it."""

    version: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeDropped(_ByTwoPeople):
    """A proposed version will not take effect."""

    version: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteReady(Fact):
    """A site is idle, all its rounds are booked, and the new version passed its own check."""

    site: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProceededWithout(_ByTwoPeople):
    """A new version took effect without sites that were not ready; they stay stopped."""

    version: str
    #: As text, separated by commas.
    sites: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteStopped(Fact):
    """A site may not take wagers: its books rolled back, it owes too much, or it has owed for too long."""

    site: str
    #: rolled_back, owes or overdue.
    cause: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitChanged(_ByTwoPeople):
    """The most that a site may owe was changed."""

    site: str
    limit: Micros
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteCured(_ByTwoPeople):
    """The cause of a site's stop was resolved."""

    site: str
    cause: str
    evidence: str
