"""Messages between a site and the hub: each may be lost, duplicated or late, and none is queued for sending.

Up, on ``up.LINK.SITE.NAME``: sum, claim, confirm, paid, void, reverse, ready, settled. Down, on
``down.LINK.SITE.NAME``: booked, grant, confirmed, handed_over, voided, reversed, refused, settled, read; and
to all sites ``meters.LINK``. Every message down names the entry of the hub's chain from which it is read.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from feltwork.ledger.chain import GENESIS, Hash
from feltwork.money import Micros
from feltwork.progressive.facts import Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class _Up:
    link: str
    site: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Down:
    link: str
    site: str
    #: The end of the hub's chain, or the entry that the answer is read from.
    entry: int
    hash: Hash


# --- up ---


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSum(_Up):
    """The total that a site has passed on since it joined; entry and hash are the end of its own chain."""

    entry: int
    hash: Hash
    version: str
    wagers: int
    accrued: Mapping[str, Micros]
    reserved: Mapping[str, Micros]
    returned: Mapping[str, Micros]
    #: The highest entry of the hub that the site has seen, to detect a hub restored from an old backup.
    seen: int = 0
    seen_hash: Hash = GENESIS

    @property
    def passed(self) -> Micros:
        """Amount the site owes for wagers, before awards and settlements."""
        return sum(self.accrued.values()) + sum(self.reserved.values()) - sum(self.returned.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimUp(_Up):
    """A hand button was pressed; the sum includes the winner's own round."""

    award: str
    seat: int
    hand: str
    cards: str
    by: str
    version: str
    #: The hub's entry on the site's signs when the button was pressed.
    shown: int
    sum: SiteSum


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmUp(_Up):
    """The site's people signed a grant."""

    award: str
    grant: int
    amount: Micros
    supervisor: str
    executive: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidUp(_Up):
    """The patron was paid."""

    award: str
    amount: Micros


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidUp(_Up):
    """The site cleared a claim."""

    award: str
    reason: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReverseUp(_Up):
    """Two people at the site reversed a confirmed award."""

    award: str
    amount: Micros
    reason: str
    by: str
    approved_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyUp(_Up):
    """The site is idle and can play the proposed version; this is its last sum with the old one."""

    version: str
    #: The hub's entry that the halted site has seen; an entry from before the proposal does not count.
    shown: int
    sum: SiteSum


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleUp(_Up):
    """The site has booked a settlement."""

    number: int
    amount: Micros


# --- down ---


@dataclass(frozen=True, slots=True, kw_only=True)
class HubSnapshot(_Down):
    """The amounts on every sign: the hub's meters after this entry. ``site`` is empty: it goes to all."""

    at: Instant
    version: str
    meters: Mapping[str, Micros]
    #: The proposed version, or an empty string.
    change: str
    #: Whether the link takes wagers at all.
    open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BookedDown(_Down):
    """The hub's bookings of a site; sums are not acknowledged one by one."""

    #: The site's own entry up to which its sum is booked, and its hash in that sum.
    booked_entry: int
    booked_hash: str
    passed: Micros
    #: Causes that keep the site from taking wagers.
    stops: tuple[str, ...]
    left: bool
    #: Unconfirmed award -> the entry of its lock; a site with another entry asks again.
    grants: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantDown(_Down):
    """The amount that the hub has locked for an award; entry and hash are those of the lock."""

    award: str
    level: str
    amount: Micros


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmedDown(_Down):
    """The hub has confirmed the award and owes it."""

    award: str
    amount: Micros


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedOverDown(_Down):
    """The payment is booked."""

    award: str
    amount: Micros


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidedDown(_Down):
    """The claim is void: nothing is or will be locked for it."""

    award: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReversedDown(_Down):
    """The reversal is booked."""

    award: str
    amount: Micros


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedDown(_Down):
    """The hub locks nothing for this claim; people must decide."""

    award: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledDown(_Down):
    """The settlement of this number is booked."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadDown(_Down):
    """A request to send the sum now."""


Up: TypeAlias = SiteSum | ClaimUp | ConfirmUp | PaidUp | VoidUp | ReverseUp | ReadyUp | SettleUp
Down: TypeAlias = (
    HubSnapshot
    | BookedDown
    | GrantDown
    | ConfirmedDown
    | HandedOverDown
    | VoidedDown
    | ReversedDown
    | RefusedDown
    | SettledDown
    | ReadDown
)
