"""A site's side of a network link: messages from the hub and clock ticks in, facts and messages out.

The caller commits the facts of a step and then sends ``outgoing``. Messages are read from the books: the
journal is the outbox, and a crash between commit and send loses nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, TypeAlias

from feltwork.ledger.chain import Tail
from feltwork.progressive.copies import changed
from feltwork.progressive.facts import HOUR, Confirmed, Fact, Instant
from feltwork.progressive.network import messages as m
from feltwork.progressive.network.facts import (
    Acknowledged,
    ContactLost,
    Continued,
    Granted,
    Halted,
    Left,
    Rejoined,
    VersionAdopted,
    Withdrawn,
)
from feltwork.progressive.network.site_books import OpenAward, SiteBooks

CutOff: TypeAlias = Literal["stop", "store_and_forward"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteTiming:
    """A site's behavior without the hub, and its sending intervals; microseconds."""

    cut_off: CutOff = "stop"
    #: Time without a snapshot after which contact is lost.
    silence: Instant = 10_000_000
    most_rounds: int = 10_000
    most_wagers: int = 70_000
    most_time: Instant = 24 * HOUR
    #: Minimum time between a sum and a changed one; every sum is sent again after ``again``.
    between: Instant = 250_000
    again: Instant = 4_000_000


@dataclass(frozen=True, kw_only=True)
class SiteMemory:
    """Data that a site may lose in a crash."""

    #: Start of the process, taken as the last contact until a snapshot arrives.
    started: Instant
    heard_at: Instant = 0
    snapshot: m.HubSnapshot | None = None
    #: After lost contact: the end of the site's chain when the first snapshot arrived.
    reconnected: int = 0
    #: The hub's last report of its bookings.
    booked: m.BookedDown | None = None
    #: Claims that the hub refused, for the pit.
    refused: Mapping[str, str] = field(default_factory=dict)
    sum_sent: Instant = 0
    sum_entry: int = -1
    sent: Mapping[str, Instant] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteStep:
    """Facts to commit, and memory to keep."""

    memory: SiteMemory
    facts: tuple[Fact, ...] = ()


def takes_wagers(books: SiteBooks, memory: SiteMemory, timing: SiteTiming, at: Instant) -> bool:
    """Whether START GAME with a jackpot wager is allowed."""
    if not books.joined or not books.state.takes_wagers:
        return False
    lost, snapshot = books.lost, memory.snapshot
    if lost is not None:
        return timing.cut_off == "store_and_forward" and (
            at - lost.since < timing.most_time
            and lost.rounds < timing.most_rounds
            and lost.wagers < timing.most_wagers
        )
    if snapshot is None or at - memory.heard_at > timing.silence:
        return False
    return snapshot.open and not snapshot.change and snapshot.version == books.state.link.fingerprint


def seen(books: SiteBooks, memory: SiteMemory) -> Tail:
    """The highest entry of the hub that this site knows."""
    view = memory.snapshot
    return Tail(view.entry, view.hash) if view and view.entry > books.hub.number else books.hub


def receive(
    books: SiteBooks,
    memory: SiteMemory,
    message: m.Down,
    at: Instant,
    *,
    idle: bool,
    hash_of: Callable[[int], str],
) -> SiteStep:
    """Handle a message from the hub.

    ``idle`` means that no round is open at any table; ``hash_of`` returns the hash of one of our entries.
    """
    if not books.joined:
        return SiteStep(memory=memory)
    match message:
        case m.HubSnapshot():
            return _snapshot(books, memory, message, at, idle=idle)
        case m.BookedDown():
            return _booked(books, memory, message, at, hash_of)
        case m.RefusedDown():
            memory = changed(memory, refused={**memory.refused, message.award: message.reason})
        case m.ReadDown():
            memory = changed(memory, sum_entry=-1, sum_sent=0)
        case _:
            return SiteStep(memory=memory, facts=_ANSWERS[type(message)](books, message, at))
    return SiteStep(memory=memory)


def tick(books: SiteBooks, memory: SiteMemory, timing: SiteTiming, at: Instant) -> SiteStep:
    """Detect lost contact: no snapshot for longer than the allowed silence."""
    since = max(memory.heard_at, memory.started)
    if books.joined and books.lost is None and at - since > timing.silence:
        return SiteStep(
            memory=changed(memory, reconnected=0),
            facts=(ContactLost(link=books.state.link.id, at=at, since=since),),
        )
    return SiteStep(memory=memory)


def outgoing(
    books: SiteBooks, memory: SiteMemory, timing: SiteTiming, at: Instant, *, idle: bool
) -> tuple[SiteMemory, tuple[m.Up, ...]]:
    """Return the messages due after a commit or a clock tick: unanswered steps, and the sum."""
    if not books.joined:
        return memory, ()
    waited = at - memory.sum_sent
    due = waited >= timing.between and (waited >= timing.again or books.tail.number != memory.sum_entry)
    waits = bool(books.open) or books.settling is not None or "change" in books.state.stops
    if not due and not waits and not memory.sent:
        return memory, ()
    messages: list[m.Up] = []
    sent = {}
    for key, message in _waiting(books, memory, idle=idle).items() if waits else ():
        last = memory.sent.get(key)
        if last is None or at - last >= timing.again:
            messages.append(message())
            last = at
        sent[key] = last
    if due:
        messages.append(books.sum(seen(books, memory)))
        memory = changed(memory, sum_sent=at, sum_entry=books.tail.number, sent=sent)
    elif sent != memory.sent:
        memory = changed(memory, sent=sent)
    return memory, tuple(messages)


def _waiting(books: SiteBooks, memory: SiteMemory, *, idle: bool) -> dict[str, Callable[[], m.Up]]:
    """Return the unanswered steps by a key that changes with the step; each message is built when due."""
    link, site = books.state.link.id, books.site
    steps: dict[str, Callable[[], m.Up]] = {}
    for award in books.open.values():
        make = _message_of(books, memory, award)
        if make is not None:
            steps[f"{award.id} {award.stage} {award.grant}"] = make
    if books.settling is not None:
        number, amount = books.settling.number, books.settling.amount
        steps[f"settled {number}"] = partial(m.SettleUp, link=link, site=site, number=number, amount=amount)
    snapshot = memory.snapshot
    halted = "change" in books.state.stops and _can_change(books, idle=idle)
    if halted and snapshot and snapshot.change in books.state.versions:
        steps[f"ready {snapshot.change}"] = lambda: m.ReadyUp(
            link=link,
            site=site,
            version=snapshot.change,
            shown=snapshot.entry,
            sum=books.sum(seen(books, memory)),
        )
    return steps


def _message_of(books: SiteBooks, memory: SiteMemory, award: OpenAward) -> Callable[[], m.Up] | None:
    who: dict[str, Any] = {"link": books.state.link.id, "site": books.site, "award": award.id}
    hub = memory.booked.grants.get(award.id, award.grant) if memory.booked else award.grant
    if award.stage == "claimed" or (award.stage == "granted" and hub > award.grant):
        return lambda: m.ClaimUp(
            **who,
            seat=award.seat,
            hand=award.hand,
            cards=award.cards,
            by=award.by,
            version=award.version,
            shown=award.shown,
            sum=books.sum(seen(books, memory)),
        )
    if award.stage == "signed":
        return partial(
            m.ConfirmUp,
            **who,
            grant=award.grant,
            amount=award.amount,
            supervisor=award.supervisor,
            executive=award.executive,
        )
    if award.stage == "paid":
        return partial(m.PaidUp, **who, amount=award.amount)
    if award.stage == "cleared":
        return partial(m.VoidUp, **who, reason=award.reason, by=award.undone_by)
    if award.stage == "reversed":
        people = {"by": award.undone_by, "approved_by": award.approved_by}
        return partial(m.ReverseUp, **who, amount=award.amount, reason=award.reason, **people)
    return None


def _can_change(books: SiteBooks, *, idle: bool) -> bool:
    return idle and not books.open


# --- contact ---


def _snapshot(
    books: SiteBooks, memory: SiteMemory, new: m.HubSnapshot, at: Instant, *, idle: bool
) -> SiteStep:
    """Show the newest meters; a snapshot older than those shown or booked does not count as contact."""
    snapshot = memory.snapshot
    if new.entry < books.hub.number or (snapshot and (new.entry, new.at) <= (snapshot.entry, snapshot.at)):
        return SiteStep(memory=memory)
    memory = changed(memory, snapshot=new, heard_at=at)
    facts = _follow(books, new, at, idle=idle)
    if books.lost is not None:
        if not memory.reconnected:
            memory = changed(memory, reconnected=books.tail.number, sum_entry=-1, sum_sent=0, booked=None)
        facts += _rejoin(books, memory, at)
    return SiteStep(memory=memory, facts=facts)


def _rejoin(books: SiteBooks, memory: SiteMemory, at: Instant) -> tuple[Fact, ...]:
    """Resume play once the site's sum is booked and its signs show meters that include it [GEN-18]."""
    booked, snapshot = memory.booked, memory.snapshot
    if books.lost is None or booked is None or snapshot is None or not memory.reconnected:
        return ()
    if booked.booked_entry < memory.reconnected or snapshot.entry < booked.entry:
        return ()
    return (
        Rejoined(
            link=books.state.link.id,
            at=at,
            since=books.lost.since,
            passed=books.sum(books.hub).passed,
            booked=booked.passed,
            entry=snapshot.entry,
            hash=snapshot.hash,
        ),
    )


def _follow(books: SiteBooks, new: m.HubSnapshot, at: Instant, *, idle: bool) -> tuple[Fact, ...]:
    """Halt for a proposed version, adopt one that took effect, and continue when a proposal was dropped."""
    state, facts = books.state, list[Fact]()
    where: dict[str, Any] = {"link": state.link.id, "at": at, "entry": new.entry, "hash": new.hash}
    halted = "change" in state.stops
    if new.change or new.version != state.link.fingerprint:
        if not halted:
            facts.append(Halted(**where, cause="change", reason=new.change or new.version))
        if new.change or new.version not in state.versions or not _can_change(books, idle=idle):
            return tuple(facts)
        facts.append(VersionAdopted(**where, before=state.link.fingerprint, version=new.version))
        return (*facts, Continued(**where, cause="change"))
    return (Continued(**where, cause="change"),) if halted else ()


def _booked(
    books: SiteBooks, memory: SiteMemory, new: m.BookedDown, at: Instant, hash_of: Callable[[int], str]
) -> SiteStep:
    """Compare the hub's bookings with the site's own books, and obey its stops."""
    if new.entry < books.hub.number or (memory.booked and new.entry < memory.booked.entry):
        return SiteStep(memory=memory)
    memory = changed(memory, booked=new)
    where: dict[str, Any] = {"link": books.state.link.id, "at": at, "entry": new.entry, "hash": new.hash}
    facts: list[Fact] = []
    stops = books.state.stops
    if "rolled_back" not in stops and (reason := contradiction(books.tail, new, hash_of)):
        facts.append(Halted(**where, cause="rolled_back", reason=reason))
    if new.stops and "hub" not in stops:
        facts.append(Halted(**where, cause="hub", reason=", ".join(new.stops)))
    if not new.stops and "hub" in stops:
        facts.append(Continued(**where, cause="hub"))
    if new.left and "leave" in stops and not books.open and not books.owes:
        left = Left(**where, site=books.site, by=books.site, approved_by=new.link)
        return SiteStep(memory=memory, facts=(*facts, left))
    return SiteStep(memory=memory, facts=(*facts, *_rejoin(books, memory, at)))


def contradiction(end: Tail, new: m.BookedDown, hash_of: Callable[[int], str]) -> str:
    """Return why the hub's bookings contradict these books, as after a restore, or an empty string."""
    if new.booked_entry > end.number:
        return f"the hub has booked entry {new.booked_entry}, and the books end at {end.number}"
    if new.booked_entry and hash_of(new.booked_entry) != new.booked_hash:
        return f"the hub has booked entry {new.booked_entry} with another hash"
    return ""


# --- awards ---


def _grant(books: SiteBooks, new: m.GrantDown, at: Instant) -> tuple[Fact, ...]:
    """Accept a newer lock of an award; signatures for the older lock lapse."""
    award = books.open.get(new.award)
    if award is None or award.stage not in ("claimed", "granted", "signed") or new.entry <= award.grant:
        return ()
    where: dict[str, Any] = {
        "link": new.link,
        "at": at,
        "entry": new.entry,
        "hash": new.hash,
        "award": award.id,
    }
    granted = Granted(**where, level=new.level, amount=new.amount)
    if not award.grant:
        return (granted,)
    return Withdrawn(**where, level=award.level, amount=award.amount), granted


def _confirmed(books: SiteBooks, message: m.ConfirmedDown, at: Instant) -> tuple[Fact, ...]:
    award = books.open.get(message.award)
    if award is None or award.stage != "signed" or award.amount != message.amount:
        return ()
    confirmed = Confirmed(
        link=message.link,
        at=at,
        award=award.id,
        level=award.level,
        from_meter=award.amount,
        from_house=0,
        restarts=False,
        supervisor=award.supervisor,
        executive=award.executive,
    )
    return (confirmed,)


def _handed_over(books: SiteBooks, message: m.HandedOverDown, at: Instant) -> tuple[Fact, ...]:
    award = books.open.get(message.award)
    if award is None or award.stage != "paid":
        return ()
    return (_acknowledged(message, at, "paid", award.id),)


def _voided(books: SiteBooks, message: m.VoidedDown, at: Instant) -> tuple[Fact, ...]:
    award = books.open.get(message.award)
    if award is None or award.stage != "cleared":
        return ()
    withdrawn = Withdrawn(
        link=message.link,
        at=at,
        entry=message.entry,
        hash=message.hash,
        award=award.id,
        level=award.level or books.state.link.level_paying(award.hand),
        amount=award.amount,
    )
    return (withdrawn,)


def _reversed(books: SiteBooks, message: m.ReversedDown, at: Instant) -> tuple[Fact, ...]:
    award = books.open.get(message.award)
    if award is None or award.stage != "reversed":
        return ()
    return (_acknowledged(message, at, "reversed", award.id),)


def _settled(books: SiteBooks, message: m.SettledDown, at: Instant) -> tuple[Fact, ...]:
    if books.settling is None or books.settling.number != message.number:
        return ()
    return (_acknowledged(message, at, "settled", str(message.number)),)


def _acknowledged(
    message: m.HandedOverDown | m.ReversedDown | m.SettledDown, at: Instant, what: str, name: str
) -> Acknowledged:
    return Acknowledged(
        link=message.link, at=at, entry=message.entry, hash=message.hash, what=what, name=name
    )


_ANSWERS: Mapping[type, Callable[[SiteBooks, Any, Instant], tuple[Fact, ...]]] = {
    m.GrantDown: _grant,
    m.ConfirmedDown: _confirmed,
    m.HandedOverDown: _handed_over,
    m.VoidedDown: _voided,
    m.ReversedDown: _reversed,
    m.SettledDown: _settled,
}
