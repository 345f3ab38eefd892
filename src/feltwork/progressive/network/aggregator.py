"""An aggregator: a hub to the sites below it, and a site to the hub above it.

It books the sums of its sites and sends their total up. Awards pass through it: a claim goes up with the
aggregator's own sum, and every answer comes down as the hub above gave it. Nothing about an open award is
kept here, since a site asks again until it is answered. All entries that a site sees are of the chain above.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from feltwork.ledger.chain import Chained, Tail
from feltwork.progressive.facts import Fact, Instant
from feltwork.progressive.network import hub, site
from feltwork.progressive.network import messages as m
from feltwork.progressive.network.facts import Acknowledged, CreditRelayed, Settled, VersionAdopted
from feltwork.progressive.network.hub_books import HubBooks, NetworkMember, book_hub
from feltwork.progressive.network.sums import judge, relayed, sum_of

#: How many sums that went up are remembered until the hub above has booked them.
_REMEMBERED = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class AggregatorBooks:
    """The members below as a hub has them, and what a site has with the hub above."""

    name: str
    below: HubBooks
    #: Awards whose payment the hub above has booked.
    credited: frozenset[str] = frozenset()
    #: Those of them that were reversed.
    returned: frozenset[str] = frozenset()
    settlements: int = 0
    settling: Settled | None = None

    def sum(self, seen: Tail) -> m.SiteSum:
        """The aggregator's own sum: the total of its sites."""
        return sum_of(self.below.state, self.below.tail, site=self.name, base={}, seen=seen)


@dataclass(frozen=True, slots=True, kw_only=True)
class AggregatorMemory:
    """What an aggregator may forget in a crash."""

    #: The newest sum of each site that is not booked, and the settlements announced.
    waiting: Mapping[str, m.SiteSum] = field(default_factory=dict)
    announced: Mapping[str, m.SettleUp] = field(default_factory=dict)
    booked_at: Instant = 0
    snapshot: m.HubSnapshot | None = None
    #: Site -> the hub's entry at which it was ready for the proposed version.
    ready: Mapping[str, int] = field(default_factory=dict)
    sum_sent: Instant = 0
    sum_entry: int = -1
    #: The own entry of each sum that went up, and the members as they were then.
    sent: tuple[tuple[int, Mapping[str, NetworkMember]], ...] = ()
    settled_sent: Instant = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AggregatorStep:
    """What to commit and to remember; what to send is read from the books after the commit."""

    memory: AggregatorMemory
    facts: tuple[Fact, ...] = ()
    rows: tuple[m.SiteSum, ...] = ()


def book_aggregator(
    books: AggregatorBooks, some: tuple[Fact, ...], rows: tuple[m.SiteSum, ...] = ()
) -> tuple[AggregatorBooks, tuple[Chained, ...]]:
    """The books after some facts, and their entries."""
    below, entries = book_hub(books.below, some, rows)
    books = replace(books, below=below)
    for fact in some:
        match fact:
            case CreditRelayed() if fact.amount < 0:
                books = replace(books, returned=books.returned | {fact.award})
            case CreditRelayed():
                books = replace(books, credited=books.credited | {fact.award})
            case Settled():
                books = replace(books, settlements=fact.number, settling=fact)
            case Acknowledged():
                books = replace(books, settling=None)
    return books, entries


def seen(memory: AggregatorMemory) -> Tail:
    """The highest entry of the hub above that the aggregator knows."""
    return Tail(memory.snapshot.entry, memory.snapshot.hash) if memory.snapshot else Tail()


# --- from below ---


def receive_up(
    books: AggregatorBooks, memory: AggregatorMemory, message: m.Up, at: Instant
) -> AggregatorStep:
    """Decide about a message of a site: its sum is booked before anything of it goes up."""
    member = books.below.members.get(message.site)
    if member is None or member.left or "rolled_back" in member.stops:
        return AggregatorStep(memory=memory)
    own = getattr(message, "sum", message)
    verdict = judge(member.sum, own) if isinstance(own, m.SiteSum) else "known"
    if isinstance(own, m.SiteSum) and verdict == "rolled_back":
        return AggregatorStep(memory=memory, facts=hub.rolled_back(member, own, at))
    match message:
        case m.SiteSum():
            known = memory.waiting.get(message.site)
            if verdict == "newer" and (known is None or known.entry < message.entry):
                memory = replace(memory, waiting={**memory.waiting, message.site: message})
            return AggregatorStep(memory=memory)
        case m.SettleUp():
            memory = replace(memory, announced={**memory.announced, message.site: message})
        case m.ReadyUp():
            memory = replace(memory, ready={**memory.ready, message.site: message.shown})
    if isinstance(own, m.SiteSum) and verdict == "newer":
        return AggregatorStep(memory=memory, facts=(_relayed(books, (own,), at),), rows=(own,))
    return AggregatorStep(memory=memory)


def _relayed(books: AggregatorBooks, rows: tuple[m.SiteSum, ...], at: Instant) -> Fact:
    known = {row.site: books.below.members[row.site].sum for row in rows}
    return relayed(books.below.state, known, rows, at)


def relay_up(books: AggregatorBooks, memory: AggregatorMemory, message: m.Up) -> tuple[m.Up, ...]:
    """What goes to the hub above after the commit."""
    member = books.below.members.get(message.site)
    if member is None or member.left or "rolled_back" in member.stops:
        return ()
    match message:
        case m.ClaimUp():
            if judge(member.sum, message.sum) != "known":
                return ()
            return (replace(message, site=books.name, sum=books.sum(seen(memory))),)
        case m.ConfirmUp() | m.PaidUp() | m.VoidUp() | m.ReverseUp():
            return (replace(message, site=books.name),)
        case m.ReadyUp():
            return _ready(books, memory)
    return ()


def _ready(books: AggregatorBooks, memory: AggregatorMemory) -> tuple[m.Up, ...]:
    """Ready once every site below is, with the version that is proposed now."""
    shown = memory.snapshot
    if shown is None or not shown.change:
        return ()
    at = [memory.ready.get(member.site, 0) for member in books.below.active]
    if not at or not min(at):
        return ()
    return (
        m.ReadyUp(
            link=shown.link,
            site=books.name,
            version=shown.change,
            shown=min(at),
            sum=books.sum(seen(memory)),
        ),
    )


def tick(
    books: AggregatorBooks, memory: AggregatorMemory, timing: hub.HubTiming, at: Instant
) -> AggregatorStep:
    """Book the sums of a window as one entry."""
    if not memory.waiting or at - memory.booked_at < timing.window:
        return AggregatorStep(memory=memory)
    members = books.below.members
    rows = tuple(
        memory.waiting[name]
        for name in sorted(memory.waiting)
        if not members[name].left
        and "rolled_back" not in members[name].stops
        and judge(members[name].sum, memory.waiting[name]) == "newer"
    )
    facts = (_relayed(books, rows, at),) if rows else ()
    return AggregatorStep(memory=replace(memory, waiting={}, booked_at=at), facts=facts, rows=rows)


def outgoing(
    books: AggregatorBooks, memory: AggregatorMemory, timing: site.SiteTiming, at: Instant
) -> tuple[AggregatorMemory, tuple[m.Up, ...]]:
    """The own sum and the own settlement, as a site sends them."""
    sent: list[m.Up] = []
    entry, waited = books.below.tail.number, at - memory.sum_sent
    if waited >= timing.between and (waited >= timing.again or entry != memory.sum_entry):
        sent.append(books.sum(seen(memory)))
        kept = tuple(one for one in memory.sent if one[0] != entry)[-_REMEMBERED:]
        memory = replace(memory, sum_sent=at, sum_entry=entry, sent=(*kept, (entry, books.below.members)))
    if books.settling is not None and at - memory.settled_sent >= timing.again:
        number, amount = books.settling.number, books.settling.amount
        link = books.below.state.link.id
        sent.append(m.SettleUp(link=link, site=books.name, number=number, amount=amount))
        memory = replace(memory, settled_sent=at)
    return memory, tuple(sent)


# --- from above ---


def receive_down(
    books: AggregatorBooks, memory: AggregatorMemory, message: m.Down, at: Instant
) -> AggregatorStep:
    """Decide about a message from above: a payment that is booked there is a credit of its site here."""
    where: dict[str, Any] = {"link": message.link, "at": at, "entry": message.entry, "hash": message.hash}
    match message:
        case m.HubSnapshot():
            return _snapshot(books, memory, message, at)
        case m.HandedOverDown():
            if message.award not in books.credited:
                name = site_of(message.award)
                credit = CreditRelayed(**where, award=message.award, site=name, amount=message.amount)
                return AggregatorStep(memory=memory, facts=(credit,))
        case m.ReversedDown():
            if message.award in books.credited - books.returned:
                name = site_of(message.award)
                credit = CreditRelayed(**where, award=message.award, site=name, amount=-message.amount)
                return AggregatorStep(memory=memory, facts=(credit,))
        case m.SettledDown():
            if books.settling is not None and books.settling.number == message.number:
                done = Acknowledged(**where, what="settled", name=str(message.number))
                return AggregatorStep(memory=memory, facts=(done,))
    return AggregatorStep(memory=memory)


def _snapshot(
    books: AggregatorBooks, memory: AggregatorMemory, new: m.HubSnapshot, at: Instant
) -> AggregatorStep:
    shown, state = memory.snapshot, books.below.state
    if shown and (new.entry, new.at) <= (shown.entry, shown.at):
        return AggregatorStep(memory=memory)
    ready = memory.ready if shown and shown.change == new.change else {}
    memory = replace(memory, snapshot=new, ready=ready)
    before = state.link.fingerprint
    if new.version == before or new.version not in state.versions:
        return AggregatorStep(memory=memory)
    adopted = VersionAdopted(
        link=new.link, at=at, entry=new.entry, hash=new.hash, before=before, version=new.version
    )
    return AggregatorStep(memory=memory, facts=(adopted,))


def relay_down(books: AggregatorBooks, memory: AggregatorMemory, message: m.Down) -> tuple[m.Down, ...]:
    """What goes to the sites after the commit."""
    match message:
        case m.HubSnapshot():
            return (message,)
        case m.BookedDown():
            return _booked(books, memory, message)
        case m.SettledDown() | m.ReadDown():
            return ()
        case _:
            return (replace(message, site=site_of(message.award)),)


def _booked(books: AggregatorBooks, memory: AggregatorMemory, above: m.BookedDown) -> tuple[m.Down, ...]:
    """Each site's sum is booked once the hub above has booked the own sum that had it in it."""
    known = [members for entry, members in memory.sent if entry <= above.booked_entry]
    if not known:
        return ()
    return tuple(
        replace(
            above,
            site=member.site,
            booked_entry=known[-1][member.site].sum.entry,
            booked_hash=known[-1][member.site].sum.hash,
            passed=known[-1][member.site].sum.passed,
            stops=(*member.stops, *above.stops),
            left=member.left,
            grants={award: entry for award, entry in above.grants.items() if site_of(award) == member.site},
        )
        for member in books.below.active
        if member.site in known[-1]
    )


def answer(books: AggregatorBooks, memory: AggregatorMemory, message: m.Up) -> tuple[m.Down, ...]:
    """What the aggregator itself answers: that it has booked a settlement."""
    member = books.below.members.get(message.site)
    if not isinstance(message, m.SettleUp) or member is None or message.number > member.settlements:
        return ()
    end = seen(memory)
    return (
        m.SettledDown(
            link=message.link, site=message.site, entry=end.number, hash=end.hash, number=message.number
        ),
    )


def site_of(award: str) -> str:
    """The site that an award is of."""
    return award.partition(":")[0]
