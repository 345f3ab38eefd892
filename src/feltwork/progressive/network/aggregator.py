"""An aggregator: a hub to the sites below it, and a site to the hub above it.

It books the sums of its sites and sends their total up. Awards pass through it: a claim goes up with the
aggregator's own sum, and every answer comes down as the hub above gave it. No state of an open award is
stored here, because a site retries until it is answered. All entries that a site sees are from the chain
above.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from feltwork.ledger.chain import Chained, Tail
from feltwork.money import Micros
from feltwork.progressive.facts import Fact, Instant
from feltwork.progressive.network import hub, site
from feltwork.progressive.network import messages as m
from feltwork.progressive.network.aggregator_facts import AggregatorOpened, CreditRelayed
from feltwork.progressive.network.facts import Acknowledged, Halted, Settled, VersionAdopted
from feltwork.progressive.network.hub_books import HubBooks, NetworkMember, book_hub
from feltwork.progressive.network.sums import SumRows, judge, relayed, sum_of
from feltwork.progressive.network.terms import LONGEST_SITE
from feltwork.progressive.refusal import refuse
from feltwork.progressive.sign_offs import TwoPersonRequest, verify_asked, verify_told
from feltwork.progressive.state import LinkState

#: Number of sent sums remembered until the hub above has booked them.
_REMEMBERED = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class AggregatorBooks:
    """The books of an aggregator: members below, as at a hub, and the account with the hub above."""

    name: str
    below: HubBooks
    #: Awards whose payment the hub above has booked.
    credited: frozenset[str] = frozenset()
    #: Credited awards that were reversed.
    returned: frozenset[str] = frozenset()
    settlements: int = 0
    settling: Settled | None = None

    @property
    def state(self) -> LinkState:
        """The state of the link at the aggregator."""
        return self.below.state

    def sum(self, hub_tail: Tail) -> m.SiteSum:
        """The aggregator's own sum: the total of its sites."""
        return sum_of(self.below.state, self.below.tail, site=self.name, base={}, hub_tail=hub_tail)


@dataclass(frozen=True, slots=True, kw_only=True)
class AggregatorMemory:
    """Data that an aggregator may lose in a crash."""

    #: The newest unbooked sum of each site, and the announced settlements.
    waiting: Mapping[str, m.SiteSum] = field(default_factory=dict)
    announced: Mapping[str, m.SettleUp] = field(default_factory=dict)
    booked_at: Instant = 0
    reported_at: Instant = 0
    snapshot: m.HubSnapshot | None = None
    #: Site -> the hub's entry at which it was ready for the proposed version.
    ready: Mapping[str, int] = field(default_factory=dict)
    sum_sent: Instant = 0
    sum_entry: int = -1
    #: The aggregator's entry of each sent sum, and the members at that time.
    sent: tuple[tuple[int, Mapping[str, NetworkMember]], ...] = ()
    settled_sent: Instant = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AggregatorStep:
    """Facts to commit and memory to keep; messages to send are read from the books after the commit."""

    memory: AggregatorMemory
    facts: tuple[Fact, ...] = ()
    rows: tuple[m.SiteSum, ...] = ()


def book_aggregator(
    books: AggregatorBooks, some: tuple[Fact, ...], rows: tuple[m.SiteSum, ...] = ()
) -> tuple[AggregatorBooks, tuple[Chained, ...]]:
    """Return the books after several facts, and their entries."""
    below, entries = book_hub(books.below, some, rows)
    return follow(replace(books, below=below), some), entries


def follow(books: AggregatorBooks, some: Iterable[Fact]) -> AggregatorBooks:
    """Update name, credits and settlements from facts of ``OWN_KINDS``; the members below do not change."""
    for fact in some:
        match fact:
            case AggregatorOpened():
                books = replace(books, name=fact.site)
            case CreditRelayed() if fact.amount < 0:
                books = replace(books, returned=books.returned | {fact.award})
            case CreditRelayed():
                books = replace(books, credited=books.credited | {fact.award})
            case Settled():
                books = replace(books, settlements=fact.number, settling=fact)
            case Acknowledged():
                books = replace(books, settling=None)
    return books


#: The kinds of entries that ``follow`` reads.
OWN_KINDS = frozenset(kind.__name__ for kind in (AggregatorOpened, CreditRelayed, Settled, Acknowledged))


def seen(memory: AggregatorMemory) -> Tail:
    """The highest entry of the hub above that the aggregator knows."""
    return Tail(memory.snapshot.entry, memory.snapshot.hash) if memory.snapshot else Tail()


# --- people ---


def open_link(
    books: HubBooks, request: TwoPersonRequest, *, site: str, agreement: str, limit: Micros, at: Instant
) -> AggregatorOpened:
    """Open a link at an aggregator, without seeds because the hub above keeps the meters."""
    where = f"link {books.state.link.id}"
    verify_asked(where, request, "GEN-19")
    verify_told(where, "GEN-18", agreement=agreement)
    if books.state.life != "planned":
        raise refuse(where, f"the link is {books.state.life}", "a link can be opened only once", "GEN-03")
    if not 0 < len(site) < LONGEST_SITE or {":", "@"} & set(site):
        remedy = f"rename it: at most {LONGEST_SITE - 2} letters, since its sites are NAME@{site}"
        raise refuse(where, f"{site} is not a valid name for an aggregator", remedy, "GEN-18")
    return AggregatorOpened(
        link=books.state.link.id,
        at=at,
        version=books.state.link.fingerprint,
        site=site,
        agreement=agreement,
        limit=limit,
        by=request.by,
        approved_by=request.approved_by,
    )


# --- from below ---


def receive_up(
    books: AggregatorBooks, memory: AggregatorMemory, message: m.Up, at: Instant
) -> AggregatorStep:
    """Handle a message from a site; its sum is booked before any of it goes up."""
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
        rows = SumRows([own])
        return AggregatorStep(memory=memory, facts=(_relayed(books, rows, at),), rows=rows)
    return AggregatorStep(memory=memory)


def _relayed(books: AggregatorBooks, rows: tuple[m.SiteSum, ...], at: Instant) -> Fact:
    known = {row.site: books.below.members[row.site].sum for row in rows}
    return relayed(books.below.state, known, rows, at)


def relay_up(books: AggregatorBooks, memory: AggregatorMemory, message: m.Up) -> tuple[m.Up, ...]:
    """Return the messages to the hub above, after the commit."""
    member, owner = books.below.members.get(message.site), site_of(getattr(message, "award", message.site))
    if member is None or member.left or "rolled_back" in member.stops or owner != message.site:
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
    """Report ready once every site below is ready for the proposed version, and it is known here."""
    snapshot = memory.snapshot
    if snapshot is None or snapshot.change not in books.below.state.versions:
        return ()
    at = [memory.ready.get(member.site, 0) for member in books.below.active]
    if not at or not min(at):
        return ()
    return (
        m.ReadyUp(
            link=snapshot.link,
            site=books.name,
            version=snapshot.change,
            shown=min(at),
            sum=books.sum(seen(memory)),
        ),
    )


def tick(
    books: AggregatorBooks, memory: AggregatorMemory, timing: hub.HubTiming, at: Instant
) -> AggregatorStep:
    """Book the sums of a window as one entry; periodically, stop sites that owe too much."""
    report = at - memory.reported_at >= timing.report
    book = bool(memory.waiting) and at - memory.booked_at >= timing.window
    rows = _newer(books, memory) if book else SumRows()
    facts = [*([_relayed(books, rows, at)] if rows else []), *(hub.debts(books.below, at) if report else [])]
    memory = replace(
        memory,
        waiting={} if book else memory.waiting,
        booked_at=at if book else memory.booked_at,
        reported_at=at if report else memory.reported_at,
    )
    return AggregatorStep(memory=memory, facts=tuple(facts), rows=rows)


def _newer(books: AggregatorBooks, memory: AggregatorMemory) -> SumRows:
    members = books.below.members
    return SumRows(
        memory.waiting[name]
        for name in sorted(memory.waiting)
        if not members[name].left
        and "rolled_back" not in members[name].stops
        and judge(members[name].sum, memory.waiting[name]) == "newer"
    )


def outgoing(
    books: AggregatorBooks, memory: AggregatorMemory, timing: site.SiteTiming, at: Instant
) -> tuple[AggregatorMemory, tuple[m.Up, ...]]:
    """Return the aggregator's own sum and settlement to send, as at a site."""
    sent: list[m.Up] = []
    entry, waited = books.below.tail.number, at - memory.sum_sent
    if waited >= timing.between and (waited >= timing.again or entry != memory.sum_entry):
        sent.append(books.sum(seen(memory)))
        earlier_sums = tuple(sent_sum for sent_sum in memory.sent if sent_sum[0] != entry)[-_REMEMBERED:]
        memory = replace(
            memory, sum_sent=at, sum_entry=entry, sent=(*earlier_sums, (entry, books.below.members))
        )
    if books.settling is not None and at - memory.settled_sent >= timing.again:
        number, amount = books.settling.number, books.settling.amount
        link = books.below.state.link.id
        sent.append(m.SettleUp(link=link, site=books.name, number=number, amount=amount))
        memory = replace(memory, settled_sent=at)
    return memory, tuple(sent)


# --- from above ---


def receive_down(
    books: AggregatorBooks,
    memory: AggregatorMemory,
    message: m.Down,
    at: Instant,
    *,
    hash_of: Callable[[int], str],
) -> AggregatorStep:
    """Handle a message from above: a payment booked there becomes a credit to its site here.

    ``hash_of`` returns the hash of one of our entries.
    """
    where: dict[str, Any] = {"link": message.link, "at": at, "entry": message.entry, "hash": message.hash}
    match message:
        case m.HubSnapshot():
            return _snapshot(books, memory, message, at)
        case m.BookedDown():
            known = "rolled_back" in books.below.state.stops
            if not known and (reason := site.contradiction(books.below.tail, message, hash_of)):
                halted = Halted(**where, cause="rolled_back", reason=reason)
                return AggregatorStep(memory=memory, facts=(halted,))
        case m.HandedOverDown():
            name = site_of(message.award)
            if message.award not in books.credited and name in books.below.members:
                credit = CreditRelayed(**where, award=message.award, site=name, amount=message.amount)
                return AggregatorStep(memory=memory, facts=(credit,))
        case m.ReversedDown():
            if message.award in books.credited - books.returned:
                name = site_of(message.award)
                credit = CreditRelayed(**where, award=message.award, site=name, amount=-message.amount)
                return AggregatorStep(memory=memory, facts=(credit,))
        case m.SettledDown():
            if books.settling is not None and books.settling.number == message.number:
                acknowledgment = Acknowledged(**where, what="settled", name=str(message.number))
                return AggregatorStep(memory=memory, facts=(acknowledgment,))
    return AggregatorStep(memory=memory)


def _snapshot(
    books: AggregatorBooks, memory: AggregatorMemory, new: m.HubSnapshot, at: Instant
) -> AggregatorStep:
    snapshot, state = memory.snapshot, books.below.state
    if snapshot and (new.entry, new.at) <= (snapshot.entry, snapshot.at):
        return AggregatorStep(memory=memory)
    ready = memory.ready if snapshot and snapshot.change == new.change else {}
    memory = replace(memory, snapshot=new, ready=ready)
    before = state.link.fingerprint
    if new.version == before or new.version not in state.versions:
        return AggregatorStep(memory=memory)
    adopted = VersionAdopted(
        link=new.link, at=at, entry=new.entry, hash=new.hash, before=before, version=new.version
    )
    return AggregatorStep(memory=memory, facts=(adopted,))


def relay_down(books: AggregatorBooks, memory: AggregatorMemory, message: m.Down) -> tuple[m.Down, ...]:
    """Return the messages to the sites, after the commit."""
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
    """Report each site's sum as booked once the hub above has booked the own sum that includes it."""
    known = [members for entry, members in memory.sent if entry <= above.booked_entry]
    if not known:
        return ()
    stops = (*above.stops, *books.below.state.stops, *(["left"] if above.left else []))
    return tuple(
        replace(
            above,
            site=member.site,
            booked_entry=known[-1][member.site].sum.entry,
            booked_hash=known[-1][member.site].sum.hash,
            passed=known[-1][member.site].sum.passed,
            stops=(*member.stops, *stops),
            left=member.left,
            grants={award: entry for award, entry in above.grants.items() if site_of(award) == member.site},
        )
        for member in books.below.active
        if member.site in known[-1]
    )


def answer(books: AggregatorBooks, memory: AggregatorMemory, message: m.Up) -> tuple[m.Down, ...]:
    """Return the aggregator's own answer: that it has booked a settlement."""
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
    """Return the site of an award."""
    return award.partition(":")[0]
