"""A site's books of a network link: the link's own state, its open awards and its contact with the hub."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, final

from feltwork.ledger.chain import Chained, Tail
from feltwork.money import Micros
from feltwork.progressive import facts as link_facts
from feltwork.progressive.copies import changed
from feltwork.progressive.facts import Fact, Instant
from feltwork.progressive.fold import book
from feltwork.progressive.link import Link
from feltwork.progressive.network import facts
from feltwork.progressive.network.messages import SiteSum
from feltwork.progressive.network.sums import sum_of
from feltwork.progressive.state import Award, Counters, LinkState

#: The stage of a site's award, which waits for a grant, a signature, the hub's confirmation, payment, or
#: the hub's booking of the payment, of a cleared claim, or of a reversal.
Stage: TypeAlias = Literal["claimed", "granted", "signed", "confirmed", "paid", "cleared", "reversed"]
#: The hub's answer that the site's people need before they can continue with a claim.
HubAnswer: TypeAlias = Literal["", "amount", "confirmation"]


@dataclass(frozen=True, kw_only=True)
class OpenAward:
    """An award that the hub and the site have not completed."""

    id: str
    seat: int = 0
    hand: str = ""
    cards: str = ""
    by: str = ""
    version: str = ""
    stage: Stage = "claimed"
    #: The hub's entry on the signs at the claim.
    shown: int = 0
    level: str = ""
    amount: Micros = 0
    #: The hub's entry that locked the amount, or 0.
    grant: int = 0
    supervisor: str = ""
    executive: str = ""
    #: Why a claim was cleared or an award reversed, and by whom.
    reason: str = ""
    undone_by: str = ""
    approved_by: str = ""


@dataclass(frozen=True, kw_only=True)
class LostContact:
    """A period without the hub, and the play in it."""

    since: Instant
    rounds: int = 0
    wagers: int = 0


@final
@dataclass(frozen=True, kw_only=True)
class SiteBooks:
    """Everything that a decision of a site depends on."""

    state: LinkState
    site: str
    tail: Tail = field(default_factory=Tail)
    #: The counters when the site joined.
    base: Mapping[str, Counters] = field(default_factory=dict)
    joined: bool = False
    open: Mapping[str, OpenAward] = field(default_factory=dict)
    #: The highest entry of the hub that the site has acted on.
    hub: Tail = field(default_factory=Tail)
    lost: LostContact | None = None
    #: The last settlement, and the one that the hub has not booked yet.
    settlements: int = 0
    settling: facts.Settled | None = None
    #: Total of awards reversed after payment.
    taken_back: Micros = 0

    @property
    def owes(self) -> Micros:
        """Amount the site owes the network, less grants; below zero, the network owes it."""
        return self.state.balances.get(f"clearing/{self.state.link.id}/hub", 0)

    def sum(self, hub_tail: Tail) -> SiteSum:
        """The site's sum."""
        return sum_of(self.state, self.tail, site=self.site, base=self.base, hub_tail=hub_tail)


def waits_for(link: Link, award: Award) -> HubAnswer:
    """Return the answer that a claim on a network link waits for; empty on any other link."""
    if link.network is None or award.status != "claimed":
        return ""
    if not award.locked:
        return "amount"
    return "confirmation" if award.supervisor or award.executive else ""


def book_site(books: SiteBooks, some: Iterable[Fact]) -> tuple[SiteBooks, tuple[Chained, ...]]:
    """Return the books after several facts, and their entries."""
    entries: list[Chained] = []
    for fact in some:
        state, (chained,) = book(books.state, books.tail, (fact,))
        books = changed(books, state=state, tail=chained.tail)
        entries.append(chained)
        books = after_fact(books, fact)
    return books, tuple(entries)


def after_fact(books: SiteBooks, fact: Fact) -> SiteBooks:
    """Update open awards, contact and the hub's chain for a fact, but not the state."""
    if step := _STEPS.get(type(fact)):
        books = step(books, fact)
    entry = getattr(fact, "entry", 0)
    if entry > books.hub.number and type(fact).__name__ in SITE_KINDS:
        books = changed(books, hub=Tail(entry, getattr(fact, "hash", "")))
    return books


def _joined(books: SiteBooks, _fact: facts.Joined) -> SiteBooks:
    return changed(books, joined=True, base=books.state.counters)


def _left(books: SiteBooks, _fact: facts.Left) -> SiteBooks:
    return changed(books, joined=False)


def _passed_on(books: SiteBooks, fact: facts.PassedOn) -> SiteBooks:
    if books.lost is None:
        return books
    lost = changed(
        books.lost,
        rounds=books.lost.rounds + sum(_count(text) for text in fact.rounds.values()),
        wagers=books.lost.wagers + sum(fact.wagers.values()),
    )
    return changed(books, lost=lost)


def _count(ranges: str) -> int:
    """Count the numbers in a text such as ``101-151,153``."""
    ends = [part.split("-") for part in ranges.split(",")]
    return sum(int(end[-1]) - int(end[0]) + 1 for end in ends)


def _claimed(books: SiteBooks, fact: link_facts.Claimed) -> SiteBooks:
    award = OpenAward(
        id=fact.award,
        seat=fact.seat,
        hand=fact.hand,
        cards=fact.cards,
        by=fact.by,
        version=books.state.link.fingerprint,
    )
    return changed(books, open={**books.open, award.id: award})


def _sign_at_claim(books: SiteBooks, fact: facts.SignAtClaim) -> SiteBooks:
    return _award(books, fact.award, shown=fact.entry)


def _granted(books: SiteBooks, fact: facts.Granted) -> SiteBooks:
    return _award(books, fact.award, stage="granted", level=fact.level, amount=fact.amount, grant=fact.entry)


def _withdrawn(books: SiteBooks, fact: facts.Withdrawn) -> SiteBooks:
    if books.open[fact.award].stage == "cleared":
        return _closed(books, fact.award)
    return _award(books, fact.award, stage="claimed", amount=0, grant=0, supervisor="", executive="")


def _signed_off(books: SiteBooks, fact: facts.SignedOff) -> SiteBooks:
    return _award(books, fact.award, stage="signed", supervisor=fact.supervisor, executive=fact.executive)


def _confirmed(books: SiteBooks, fact: link_facts.Confirmed) -> SiteBooks:
    return _award(books, fact.award, stage="confirmed")


def _paid(books: SiteBooks, fact: link_facts.Paid) -> SiteBooks:
    return _award(books, fact.award, stage="paid")


def _voided(books: SiteBooks, fact: link_facts.Voided) -> SiteBooks:
    return _award(books, fact.award, stage="cleared", reason=fact.reason, undone_by=fact.by)


def _reversed(books: SiteBooks, fact: link_facts.Reversed) -> SiteBooks:
    """Reopen a completed award until the hub has booked the reversal."""
    award = OpenAward(
        id=fact.award,
        stage="reversed",
        level=fact.level,
        amount=fact.to_meter,
        reason=fact.reason,
        undone_by=fact.by,
        approved_by=fact.approved_by,
    )
    taken_back = books.taken_back + (fact.to_meter if fact.was_paid else 0)
    return changed(books, open={**books.open, fact.award: award}, taken_back=taken_back)


def _acknowledged(books: SiteBooks, fact: facts.Acknowledged) -> SiteBooks:
    if fact.what == "settled":
        return changed(books, settling=None)
    return _closed(books, fact.name)


def _contact_lost(books: SiteBooks, fact: facts.ContactLost) -> SiteBooks:
    return changed(books, lost=LostContact(since=fact.since))


def _rejoined(books: SiteBooks, _fact: facts.Rejoined) -> SiteBooks:
    return changed(books, lost=None)


def _settled(books: SiteBooks, fact: facts.Settled) -> SiteBooks:
    return changed(books, settlements=fact.number, settling=fact)


def _award(books: SiteBooks, award: str, **changes: Any) -> SiteBooks:
    return changed(books, open={**books.open, award: changed(books.open[award], **changes)})


def _closed(books: SiteBooks, award: str) -> SiteBooks:
    return changed(books, open={name: open_award for name, open_award in books.open.items() if name != award})


_STEPS: Mapping[type[Fact], Callable[[SiteBooks, Any], SiteBooks]] = {
    facts.Joined: _joined,
    facts.Left: _left,
    facts.PassedOn: _passed_on,
    link_facts.Claimed: _claimed,
    facts.SignAtClaim: _sign_at_claim,
    facts.Granted: _granted,
    facts.Withdrawn: _withdrawn,
    facts.SignedOff: _signed_off,
    link_facts.Confirmed: _confirmed,
    link_facts.Paid: _paid,
    link_facts.Voided: _voided,
    link_facts.Reversed: _reversed,
    facts.Acknowledged: _acknowledged,
    facts.ContactLost: _contact_lost,
    facts.Rejoined: _rejoined,
    facts.Settled: _settled,
}
#: Kinds of entries that are folded into a site's books, in addition to the link's own state and the rounds.
SITE_KINDS = frozenset(
    kind.__name__
    for kind in (*_STEPS, facts.Halted, facts.Continued, facts.VersionAdopted)
    if kind is not facts.PassedOn
)
