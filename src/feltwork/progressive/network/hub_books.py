"""The hub's books of a network link: the link's own state, its members and its grants."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, final

from feltwork.ledger.chain import Chained, Hash, Tail
from feltwork.money import Micros
from feltwork.progressive import facts as link_facts
from feltwork.progressive.copies import changed
from feltwork.progressive.facts import Fact, Instant
from feltwork.progressive.fold import book
from feltwork.progressive.network import facts
from feltwork.progressive.network.aggregator_facts import CreditRelayed, SumsRelayed
from feltwork.progressive.network.messages import SiteSum
from feltwork.progressive.network.sums import SumRows, no_sum
from feltwork.progressive.state import LinkState


class HubHistory(Protocol):
    """Older entries of the hub's chain."""

    def hash_at(self, entry: int) -> Hash:
        """The hash of an entry."""

    def meter_after(self, entry: int, level: str) -> Micros:
        """Return the meter of a level after an entry."""


@dataclass(frozen=True, kw_only=True)
class NetworkMember:
    """A site in the hub's books."""

    site: str
    limit: Micros
    #: The newest booked sum.
    sum: SiteSum
    #: Amounts of awards that it has paid for the network, and of its settlements.
    awards: Micros = 0
    settled: Micros = 0
    settlements: int = 0
    #: Time since which it has owed without a settlement, or 0.
    owes_since: Instant = 0
    #: Cause -> reason.
    stops: Mapping[str, str] = field(default_factory=dict)
    claims: int = 0
    left: bool = False

    @property
    def owes(self) -> Micros:
        """Amount it owes the trust; below zero, the trust owes it."""
        return self.sum.passed - self.awards - self.settled


@dataclass(frozen=True, kw_only=True)
class VersionChange:
    """A proposed version that waits for the sites."""

    version: str
    by: str
    approved_by: str
    reason: str
    #: The entry that proposed it.
    entry: int
    ready: frozenset[str] = frozenset()


@final
@dataclass(frozen=True, kw_only=True)
class HubBooks:
    """Everything that a decision of the hub depends on."""

    state: LinkState
    tail: Tail = field(default_factory=Tail)
    members: Mapping[str, NetworkMember] = field(default_factory=dict)
    #: Unconfirmed award -> the entry of its lock.
    grants: Mapping[str, Tail] = field(default_factory=dict)
    #: Claims that were cleared before they arrived.
    barred: frozenset[str] = frozenset()
    #: Award -> the lock that an executive of the hub has signed.
    countersigned: Mapping[str, int] = field(default_factory=dict)
    change: VersionChange | None = None

    @property
    def active(self) -> tuple[NetworkMember, ...]:
        """The members that have not left."""
        return tuple(member for member in self.members.values() if not member.left)

    def has_open_award(self, site: str) -> bool:
        """Whether an award of a site is neither void nor handed over."""
        return any(
            award.table == site and award.status in ("claimed", "confirmed")
            for award in self.state.awards.values()
        )


def book_hub(
    books: HubBooks, some: Iterable[Fact], rows: Sequence[SiteSum] = ()
) -> tuple[HubBooks, tuple[Chained, ...]]:
    """Return the books after several facts, and their entries; ``rows`` are those of the only ``Summed``."""
    entries: list[Chained] = []
    for fact in some:
        state, (chained,) = book(books.state, books.tail, (fact,))
        books = changed(books, state=state, tail=chained.tail)
        entries.append(chained)
        if isinstance(fact, (facts.Summed, SumsRelayed)):
            books = _summed(books, fact, rows)
        elif step := _STEPS.get(type(fact)):
            books = step(books, fact, chained.tail)
    return books, tuple(entries)


def after_fact(books: HubBooks, fact: Fact, tail: Tail) -> HubBooks:
    """Update members, grants and the proposed version for an entry of ``HUB_KINDS``, but not the state."""
    return _STEPS[type(fact)](books, fact, tail)


def _summed(books: HubBooks, fact: facts.Summed | SumsRelayed, rows: Sequence[SiteSum]) -> HubBooks:
    assert SumRows.of(rows).digest == fact.digest, "the rows are not those of the entry"
    members = dict(books.members)
    grown = 0
    for row in rows:
        member = members[row.site]
        passed = row.passed
        grown += passed - member.sum.passed
        owes = passed - member.awards - member.settled
        since = (member.owes_since or fact.at) if owes > 0 else 0
        members[row.site] = changed(member, sum=row, owes_since=since)
    assert grown == fact.grown, "members do not grow by what the entry takes out of clearing"
    return changed(books, members=members)


def _owing(member: NetworkMember, at: Instant, *, settled: bool = False) -> NetworkMember:
    if member.owes <= 0:
        return changed(member, owes_since=0)
    return changed(member, owes_since=at if settled or not member.owes_since else member.owes_since)


def _joined(books: HubBooks, fact: facts.Joined, _tail: Tail) -> HubBooks:
    first = no_sum(books.state, fact.site, Tail(fact.entry, fact.hash))
    before = books.members.get(fact.site)
    member = NetworkMember(
        site=fact.site,
        limit=fact.limit,
        sum=first,
        claims=before.claims if before else 0,
        settlements=before.settlements if before else 0,
    )
    return changed(books, members={**books.members, fact.site: member})


def _left(books: HubBooks, fact: facts.Left, _tail: Tail) -> HubBooks:
    return _member(books, fact.site, left=True)


def _claimed(books: HubBooks, fact: link_facts.Claimed, _tail: Tail) -> HubBooks:
    return _member(books, fact.table, claims=fact.round)


def _locked(books: HubBooks, fact: link_facts.Locked, tail: Tail) -> HubBooks:
    return changed(books, grants={**books.grants, fact.award: tail})


def _not_granted(books: HubBooks, fact: link_facts.Released | link_facts.Confirmed, _tail: Tail) -> HubBooks:
    grants = {award: tail for award, tail in books.grants.items() if award != fact.award}
    return changed(books, grants=grants)


def _barred(books: HubBooks, fact: facts.Barred, _tail: Tail) -> HubBooks:
    return changed(books, barred=books.barred | {fact.award})


def _countersigned(books: HubBooks, fact: facts.Countersigned, _tail: Tail) -> HubBooks:
    return changed(books, countersigned={**books.countersigned, fact.award: fact.grant})


def _handed_over(books: HubBooks, fact: facts.HandedOver | CreditRelayed, _tail: Tail) -> HubBooks:
    member = books.members[fact.site]
    member = _owing(changed(member, awards=member.awards + fact.amount), fact.at)
    return changed(books, members={**books.members, fact.site: member})


def _reversal_received(books: HubBooks, fact: facts.ReversalReceived, _tail: Tail) -> HubBooks:
    if not fact.handed_over:
        return books
    member = books.members[fact.site]
    member = _owing(changed(member, awards=member.awards - fact.to_meter - fact.to_house), fact.at)
    return changed(books, members={**books.members, fact.site: member})


def _settlement_received(books: HubBooks, fact: facts.SettlementReceived, _tail: Tail) -> HubBooks:
    member = books.members[fact.site]
    member = changed(member, settled=member.settled + fact.amount, settlements=fact.number)
    return changed(books, members={**books.members, fact.site: _owing(member, fact.at, settled=True)})


def _change_proposed(books: HubBooks, fact: facts.ChangeProposed, tail: Tail) -> HubBooks:
    change = VersionChange(
        version=fact.version,
        by=fact.by,
        approved_by=fact.approved_by,
        reason=fact.reason,
        entry=tail.number,
    )
    return changed(books, change=change)


def _site_ready(books: HubBooks, fact: facts.SiteReady, _tail: Tail) -> HubBooks:
    assert books.change is not None, "a site is ready for nothing"
    return changed(books, change=changed(books.change, ready=books.change.ready | {fact.site}))


def _change_over(books: HubBooks, _fact: Fact, _tail: Tail) -> HubBooks:
    return changed(books, change=None)


def _site_stopped(books: HubBooks, fact: facts.SiteStopped, _tail: Tail) -> HubBooks:
    stops = {**books.members[fact.site].stops, fact.cause: fact.reason}
    return _member(books, fact.site, stops=stops)


def _site_cured(books: HubBooks, fact: facts.SiteCured, _tail: Tail) -> HubBooks:
    stops = {cause: why for cause, why in books.members[fact.site].stops.items() if cause != fact.cause}
    return _member(books, fact.site, stops=stops)


def _limit_changed(books: HubBooks, fact: facts.LimitChanged, _tail: Tail) -> HubBooks:
    return _member(books, fact.site, limit=fact.limit)


def _member(books: HubBooks, site: str, **changes: Any) -> HubBooks:
    return changed(books, members={**books.members, site: changed(books.members[site], **changes)})


_STEPS: Mapping[type[Fact], Callable[[HubBooks, Any, Tail], HubBooks]] = {
    facts.Joined: _joined,
    facts.Left: _left,
    link_facts.Claimed: _claimed,
    link_facts.Locked: _locked,
    link_facts.Released: _not_granted,
    link_facts.Confirmed: _not_granted,
    facts.Barred: _barred,
    facts.Countersigned: _countersigned,
    facts.HandedOver: _handed_over,
    facts.ReversalReceived: _reversal_received,
    facts.SettlementReceived: _settlement_received,
    facts.ChangeProposed: _change_proposed,
    facts.ChangeDropped: _change_over,
    link_facts.Reconfigured: _change_over,
    facts.SiteReady: _site_ready,
    facts.SiteStopped: _site_stopped,
    facts.SiteCured: _site_cured,
    facts.LimitChanged: _limit_changed,
    CreditRelayed: _handed_over,
}
#: Kinds of entries that are folded into a hub's books, in addition to the link's own state and the sums.
HUB_KINDS = frozenset(kind.__name__ for kind in _STEPS)
