"""The state of a link: balances, claims, counters and stops."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from feltwork.money import Micros
from feltwork.site.progressive import accounts
from feltwork.site.progressive.accounts import Account, kind_of
from feltwork.site.progressive.facts import Claimed, Instant
from feltwork.site.progressive.link import NO_CAP, Link
from feltwork.titles.meter_pays import top_up

Status: TypeAlias = Literal["claimed", "confirmed", "paid", "confiscated", "voided", "reversed"]
#: The statuses of an award that has left its meter for good, unless it is reversed.
SETTLED: tuple[Status, ...] = ("confirmed", "paid", "confiscated")
Life: TypeAlias = Literal["planned", "open", "removed"]
#: Number of hits that a meter shows [GEN-02].
HITS_SHOWN = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """One claim and what became of it."""

    id: str
    table: str
    round: int
    seat: int
    hand: str
    claimed_by: str
    claimed_at: Instant
    status: Status = "claimed"
    level: str = ""
    from_meter: Micros = 0
    from_house: Micros = 0
    #: Amounts that the restart of the meter took from the house and from the reserve.
    seed: Micros = 0
    reserve: Micros = 0
    #: Whether the amount is fixed and set aside, and the number of that lock on the link.
    locked: bool = False
    lock_number: int = 0
    #: The number of its first lock: its turn among the claims on its level, unchanged by later locks.
    first_lock: int = 0
    #: The inflow of its meter and reserve at the claim and, after its first lock, as of that lock.
    meter_inflow: Micros = 0
    reserve_inflow: Micros = 0
    #: The claim whose press or clearing changed the amount last.
    changed_by: str = ""
    restarts: bool = False
    supervisor: str = ""
    executive: str = ""
    paid_by: str = ""
    #: The winning cards, if known.
    cards: str = ""

    @property
    def amount(self) -> Micros:
        """The amount paid to the patron."""
        return self.from_meter + self.from_house


def award_of(claim: Claimed) -> Award:
    """Return the award of a new claim."""
    return Award(
        id=claim.award,
        table=claim.table,
        round=claim.round,
        seat=claim.seat,
        hand=claim.hand,
        claimed_by=claim.by,
        claimed_at=claim.at,
        cards=claim.cards,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Counters:
    """Lifetime counters of a level, which never decrease [GEN-02]."""

    wagers: int = 0
    wagered: Micros = 0
    accrued: Micros = 0
    reserved: Micros = 0
    overflow: Micros = 0
    hits: int = 0
    won: Micros = 0
    paid: Micros = 0
    #: Given back by misdeals and corrected seats, and by reversed awards.
    returned: Micros = 0
    reversed: Micros = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkState:
    """Everything about a link that a decision depends on."""

    link: Link
    #: Versions that may take effect later, by fingerprint.
    versions: Mapping[str, Link] = field(default_factory=dict)
    life: Life = "planned"
    #: Cause of a stop -> the time it began.
    stops: Mapping[str, Instant] = field(default_factory=dict)
    balances: Mapping[Account, Micros] = field(default_factory=dict)
    caps: Mapping[str, Micros] = field(default_factory=dict)
    #: Level -> posted amount of a house jackpot; a progressive has none.
    amounts: Mapping[str, Micros] = field(default_factory=dict)
    awards: Mapping[str, Award] = field(default_factory=dict)
    counters: Mapping[str, Counters] = field(default_factory=dict)
    #: Number of amounts locked so far.
    locks: int = 0
    #: Meter or reserve -> net inflow without locks; a claim gets only what came before it.
    inflow: Mapping[Account, Micros] = field(default_factory=dict)
    #: Level -> amount that its cap has sent to the reserve since the meter reached it.
    overflow: Mapping[str, Micros] = field(default_factory=dict)
    #: Level -> award -> what its lock took off the meter and the meter still shows.
    unmoved: Mapping[str, Mapping[str, Micros]] = field(default_factory=dict)
    #: Claims released and not locked again -> their amounts, and the claim pressed or cleared last.
    released: Mapping[str, Micros] = field(default_factory=dict)
    changed: str = ""
    #: Disputed claims set aside -> whether a later claim was confirmed since, which fixes their amounts.
    aside: Mapping[str, bool] = field(default_factory=dict)
    #: Award ids of the last hits, newest last.
    hits: tuple[str, ...] = ()
    misdealt: frozenset[tuple[str, int]] = frozenset()
    adjustments: frozenset[str] = frozenset()
    #: Amount in the pools when they were last compared with the bank.
    funds_at_count: Micros = 0
    #: The cutoff of that comparison.
    counted_entry: int = 0
    remove_at: Instant = 0
    target: str = ""
    removed_at: Instant = 0

    def meter(self, level: str) -> Micros:
        """Return the amount that the next claim is paid from, or the posted amount of a house jackpot."""
        if self.link.is_house:
            return self.amounts.get(level, 0)
        return self.balances.get(accounts.meter(self.link.id, level), 0)

    def shown(self, level: str) -> Micros:
        """Return the meter as signs and screens show it: it moves with the confirmation or the key at RUN."""
        unmoved = self.unmoved.get(level)
        if not unmoved:
            return self.meter(level)
        meter, cap = self.meter(level), self.cap(level)
        shown = meter + sum(unmoved.values())
        return shown if cap == NO_CAP else min(shown, max(cap, meter))

    def reserve(self, level: str) -> Micros:
        """The hidden pool."""
        return self.balances.get(accounts.reserve(self.link.id, level), 0)

    def pending(self, level: str) -> Micros:
        """The amount set aside for claims that are not confirmed."""
        return self.balances.get(accounts.pending(self.link.id, level), 0)

    def meter_inflow(self, level: str) -> Micros:
        """The total inflow of the meter, without locks."""
        return self.inflow.get(accounts.meter(self.link.id, level), 0)

    def reserve_inflow(self, level: str) -> Micros:
        """The total inflow of the reserve, without locks."""
        return self.inflow.get(accounts.reserve(self.link.id, level), 0)

    def unrecovered_seed(self, level: str) -> Micros:
        """The unrecovered seed [WA-17]."""
        return -self.balances.get(accounts.seed_advanced(self.link.id, level), 0)

    def cap(self, level: str) -> Micros:
        """The cap in force, or ``NO_CAP``."""
        return self.caps.get(level, NO_CAP)

    def room(self, level: str) -> Micros | None:
        """Return the room below the cap, or None without a cap."""
        cap = self.cap(level)
        return None if cap == NO_CAP else max(0, cap - self.meter(level))

    def top_up(self, level: str, *, left: Micros) -> Micros:
        """The reserve added at a restart, limited by the cap [LT-06, WA-09]."""
        cap = self.cap(level)
        seeded = left + self.link.level(level).seed
        return top_up(self.reserve(level), meter=seeded, cap=None if cap == NO_CAP else cap)

    @property
    def player_funds(self) -> Micros:
        """The total held for players, which the bank must cover [WA-06, WA-18]."""
        return sum(
            amount for account, amount in self.balances.items() if kind_of(account) in accounts.PLAYER_FUNDS
        )

    @property
    def takes_wagers(self) -> bool:
        """Whether START GAME is allowed."""
        return self.life == "open" and not self.stops

    def open_claims(self, table: str, round_: int) -> tuple[Award, ...]:
        """The unconfirmed claims of a round, in the order they were made."""
        return tuple(
            award
            for award in self.awards.values()
            if award.status == "claimed" and (award.table, award.round) == (table, round_)
        )


def new_state(link: Link) -> LinkState:
    """Return the state of a link before it is opened."""
    return LinkState(
        link=link,
        caps={level.name: level.cap for level in link.levels if level.cap != NO_CAP},
        counters={level.name: Counters() for level in link.levels},
    )
