"""Facts: small plain values for everything that happens to a link; folding them gives its state.

A fact holds only strings, integers, booleans and mappings of these, so that it serializes directly. Times are
microseconds since 1970 in UTC; amounts are micros.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from feltwork.money import Micros

Instant: TypeAlias = int
HOUR: Instant = 3_600_000_000
DAY: Instant = 24 * HOUR


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something that happened to a link at a time."""

    link: str
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class _ByTwoPeople(Fact):
    by: str
    approved_by: str


# --- contributions and rounds ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Contributed(Fact):
    """A batch of rounds was folded into the meters."""

    paytable: str
    version: str
    wager: Micros
    #: Table -> the rounds covered, as text: ``101-151,153``.
    rounds: Mapping[str, str]
    #: Table -> wagers taken.
    wagers: Mapping[str, int]
    #: SHA-256 of the rounds with their times and seats, see ``rounds_digest``.
    digest: str
    to_meter: Mapping[str, Micros]
    to_reserve: Mapping[str, Micros]
    #: Excess over a cap, which also goes to the reserve.
    overflow: Mapping[str, Micros]
    to_house: Micros

    def __post_init__(self) -> None:
        pools = (self.to_meter, self.to_reserve, self.overflow)
        parts = self.to_house + sum(sum(pool.values()) for pool in pools)
        if parts != sum(self.wagers.values()) * self.wager:
            raise ValueError(f"{self.link}: the parts of a contribution must sum to its wagers [WA-05]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Misdealt(Fact):
    """A round was void: its wagers went back and its contributions were reversed."""

    table: str
    round: int
    wagers: int
    #: The number of the entry that booked the round.
    reverses: int
    from_meter: Mapping[str, Micros]
    from_reserve: Mapping[str, Micros]
    from_house: Micros
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerAdded(Fact):
    """Before the first card, a seat was added to a round because START GAME missed its chip."""

    table: str
    round: int
    seat: int
    version: str
    wager: Micros
    to_meter: Mapping[str, Micros]
    to_reserve: Mapping[str, Micros]
    #: Excess over a cap, which also goes to the reserve.
    overflow: Mapping[str, Micros]
    to_house: Micros
    by: str
    #: The supervisor whose badge allowed it.
    approved_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerReturned(Fact):
    """Before the first card, a seat was removed from a round and its contribution reversed."""

    table: str
    round: int
    seat: int
    version: str
    wager: Micros
    from_meter: Mapping[str, Micros]
    from_reserve: Mapping[str, Micros]
    from_house: Micros
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidFromTray(Fact):
    """Rounds ended, and the dealers' trays paid fixed pays, returned stakes and envy."""

    rounds: Mapping[str, str]
    fixed: Mapping[str, Micros]
    envy: Mapping[str, Micros]
    #: SHA-256 of the ends with their times and amounts, see ``ends_digest``.
    digest: str


# --- awards ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed(Fact):
    """The dealer pressed the button of a hand that a meter pays."""

    award: str
    table: str
    round: int
    seat: int
    hand: str
    by: str
    #: The winning cards, if a person or a shoe has reported them.
    cards: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsEntered(Fact):
    """The winning cards of an award were entered after its claim."""

    award: str
    cards: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Locked(Fact):
    """The amount of a claim was fixed and set aside; after a 100% award the meter restarted."""

    award: str
    level: str
    from_meter: Micros
    from_house: Micros
    #: Whether the meter restarts, and the amounts that the house and the reserve put in for that.
    restarts: bool
    seed: Micros
    reserve: Micros


@dataclass(frozen=True, slots=True, kw_only=True)
class Released(Fact):
    """A locked amount went back to its meter, and the restart was undone."""

    award: str
    level: str
    to_meter: Micros
    to_house: Micros
    seed: Micros
    reserve: Micros


@dataclass(frozen=True, slots=True, kw_only=True)
class Overflowed(Fact):
    """A voided claim returned to a meter exceeded its cap; the excess went to the reserve [WA-09]."""

    level: str
    amount: Micros


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed(Fact):
    """A supervisor confirmed an award with a badge; it is owed from then on."""

    award: str
    level: str
    from_meter: Micros
    from_house: Micros
    #: Whether its meter restarts.
    restarts: bool
    supervisor: str
    #: Empty if no executive signed.
    executive: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterMoved(Fact):
    """The key is back at RUN: signs and screens show the meter without an award that J-POT logged."""

    award: str
    level: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAside(_ByTwoPeople):
    """A disputed claim keeps its amount, and later claims no longer wait for it."""

    award: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Voided(Fact):
    """A claim was cleared or refused before it was confirmed."""

    award: str
    reason: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Paid(Fact):
    """The patron was paid."""

    award: str
    table: str
    amount: Micros
    #: chips, cash, check.
    form: str
    by: str
    #: The person who confirmed it and watched the dealer pay chips at the table; empty at the cage.
    witness: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confiscated(_ByTwoPeople):
    """Two people found that the patron is self-excluded: the award goes to the problem gambling account."""

    award: str
    table: str
    amount: Micros
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reversed(_ByTwoPeople):
    """A confirmed award was reversed by two people."""

    award: str
    adjustment: str
    table: str
    level: str
    to_meter: Micros
    to_house: Micros
    seed: Micros
    reserve: Micros
    #: Whether the patron had been paid and gave the money back.
    was_paid: bool
    reason: str
    evidence: str


# --- adjustments and the life of a link ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjusted(_ByTwoPeople):
    """Two people changed a meter or a reserve for a lawful reason."""

    adjustment: str
    reason: str
    #: meter or reserve.
    pool: str
    level: str
    before: Micros
    after: Micros
    text: str
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened(_ByTwoPeople):
    """The link went live with its opening amounts, funded by the house."""

    version: str
    opening: Mapping[str, Micros]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped(Fact):
    """Wagering stopped: suspended, seized, or short of funds."""

    cause: str
    reason: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cured(_ByTwoPeople):
    """The cause of a stop was resolved."""

    cause: str
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FundsCounted(Fact):
    """The bank balance was compared with the required amount."""

    #: The cutoff: the last entry included, and the amount held for players after it.
    entry: int
    required: Micros
    bank_balance: Micros
    #: The shortfall allowed without stopping the link.
    tolerance: Micros
    #: The growth of the pools since the last count, to be deposited.
    accrued: Micros
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CapSet(_ByTwoPeople):
    """The cap of a level was set, changed or removed (-1)."""

    level: str
    before: Micros
    after: Micros
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconfigured(_ByTwoPeople):
    """A new version of the link took effect while it was closed."""

    before: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovalPlanned(_ByTwoPeople):
    """The removal of the link was announced."""

    remove_at: Instant
    target: str
    notice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed(_ByTwoPeople):
    """The link was removed, and its money transferred to the target."""

    target: str
    from_meter: Mapping[str, Micros]
    from_reserve: Mapping[str, Micros]


@dataclass(frozen=True, slots=True, kw_only=True)
class Received(_ByTwoPeople):
    """Money from a removed link arrived."""

    source: str
    to_meter: Mapping[str, Micros]
    to_reserve: Mapping[str, Micros]


@dataclass(frozen=True, slots=True, kw_only=True)
class AmountSet(_ByTwoPeople):
    """The posted amount of a house jackpot level was changed."""

    level: str
    before: Micros
    after: Micros
    reason: str
