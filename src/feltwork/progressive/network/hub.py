"""The hub's side of a network link: messages and clock ticks in, facts and messages out.

The caller commits the facts of a step and then sends ``hub_replies.replies``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from feltwork.ledger import accounts
from feltwork.money import Micros, dollars
from feltwork.problem import ProblemsError
from feltwork.progressive import award as awards
from feltwork.progressive.button_pays import meter_pays_of
from feltwork.progressive.copies import changed
from feltwork.progressive.facts import DAY, Claimed, Fact, Instant, Stopped
from feltwork.progressive.fold import apply
from feltwork.progressive.meter_locks import given_back, relock, restart_undone
from feltwork.progressive.network import messages as m
from feltwork.progressive.network.facts import (
    Barred,
    HandedOver,
    LeastAmount,
    ReversalReceived,
    SiteCured,
    SiteReady,
    SiteStopped,
)
from feltwork.progressive.network.hub_books import HubBooks, HubHistory, NetworkMember
from feltwork.progressive.network.hub_replies import why_refused
from feltwork.progressive.network.sums import SumRows, judge, summed
from feltwork.progressive.network.versions import not_ready, take_effect
from feltwork.progressive.round import TableRound
from feltwork.progressive.sign_offs import Badge

#: The longest time a site may owe before it is stopped.
LONGEST_DEBT = 7 * DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class HubTiming:
    """Intervals at which the hub books sums, shows its meters and reports its bookings; microseconds."""

    window: Instant = 500_000
    snapshot: Instant = 250_000
    report: Instant = 4_000_000


class NewerSum(NamedTuple):
    """A site's sum, and the older booked sum of that site."""

    sum: m.SiteSum
    booked: m.SiteSum


@dataclass(frozen=True, kw_only=True)
class HubMemory:
    """Data that a hub may lose in a crash, because sites send it again."""

    #: The newest sum of each site that is not booked yet.
    waiting: Mapping[str, NewerSum] = field(default_factory=dict)
    #: Settlements that sites have announced.
    announced: Mapping[str, m.SettleUp] = field(default_factory=dict)
    booked_at: Instant = 0
    shown_at: Instant = 0
    reported_at: Instant = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HubStep:
    """Facts to commit, and memory and messages for after the commit."""

    memory: HubMemory
    facts: tuple[Fact, ...] = ()
    rows: tuple[m.SiteSum, ...] = ()
    show: bool = False
    report: bool = False


def receive(books: HubBooks, memory: HubMemory, message: m.Up, history: HubHistory, at: Instant) -> HubStep:
    """Handle a message from a site; a duplicate changes nothing."""
    member = books.members.get(message.site)
    if member is None or member.left or message.link != books.state.link.id:
        return HubStep(memory=memory)
    facts: tuple[Fact, ...] = ()
    rows: tuple[m.SiteSum, ...] = ()
    match message:
        case m.SiteSum():
            return receive_sums(books, memory, (message,), history, at)
        case m.ClaimUp():
            facts, rows = _claim(books, member, message, history, at)
        case m.ConfirmUp():
            facts = _confirm(books, message, at)
        case m.PaidUp():
            facts = _hand_over(books, message, at)
        case m.VoidUp():
            facts = _void(books, message, at)
        case m.ReverseUp():
            facts = _reverse(books, message, at)
        case m.ReadyUp():
            facts, rows = _ready(books, member, message, at)
        case m.SettleUp():
            memory = changed(memory, announced={**memory.announced, message.site: message})
    return HubStep(memory=memory, facts=facts, rows=rows)


def tick(books: HubBooks, memory: HubMemory, timing: HubTiming, at: Instant) -> HubStep:
    """Book the sums of a window as one entry, stop sites that owe too much, and flag due messages."""
    show = at - memory.shown_at >= timing.snapshot
    report = at - memory.reported_at >= timing.report
    book = bool(memory.waiting) and at - memory.booked_at >= timing.window
    facts: list[Fact] = []
    rows: tuple[m.SiteSum, ...] = ()
    if book:
        rows = _newer(books, memory.waiting)
        if rows:
            facts.append(_summed(books, rows, at))
    if report:
        facts += debts(books, at)
        # The last site that was not ready may have left.
        if books.change is not None and not not_ready(books):
            facts += take_effect(books, at)
    if book or show or report:
        memory = changed(
            memory,
            waiting={} if book else memory.waiting,
            booked_at=at if book else memory.booked_at,
            shown_at=at if show else memory.shown_at,
            reported_at=at if report else memory.reported_at,
        )
    return HubStep(memory=memory, facts=tuple(facts), rows=rows, show=show, report=report)


# --- sums ---


def receive_sums(
    books: HubBooks, memory: HubMemory, sums: Iterable[m.SiteSum], history: HubHistory, at: Instant
) -> HubStep:
    """Store the newest sum of each site for the next window.

    A sum that contradicts the booked one stops its site; one that has seen another hub chain stops the hub.
    """
    waiting: dict[str, NewerSum] = {}
    facts: list[Fact] = []
    stops_us = "rolled_back" not in books.state.stops
    for new in sums:
        member = books.members.get(new.site)
        if member is None or member.left or new.link != books.state.link.id:
            continue
        if new.seen > books.tail.number or (new.seen and history.hash_at(new.seen) != new.seen_hash):
            reason = f"{new.site} has seen entry {new.seen}, {new.seen_hash}, which is not in this chain"
            stopped = Stopped(link=new.link, at=at, cause="rolled_back", reason=reason, by=new.site)
            facts += [stopped] if stops_us else []
            stops_us = False
            continue
        verdict = judge(member.sum, new)
        if verdict == "rolled_back":
            facts += rolled_back(member, new, at)
        elif verdict == "newer":
            known = waiting.get(new.site) or memory.waiting.get(new.site)
            if known is None or known.sum.entry < new.entry:
                waiting[new.site] = NewerSum(new, member.sum)
    if waiting:
        memory = changed(memory, waiting={**memory.waiting, **waiting})
    return HubStep(memory=memory, facts=tuple(facts))


def rolled_back(member: NetworkMember, new: m.SiteSum, at: Instant) -> tuple[Fact, ...]:
    """Stop a site once if its sum contradicts the booked one."""
    if "rolled_back" in member.stops:
        return ()
    reason = f"its sum at entry {new.entry} contradicts the one booked at entry {member.sum.entry}"
    return (SiteStopped(link=new.link, at=at, site=new.site, cause="rolled_back", reason=reason),)


def _newer(books: HubBooks, waiting: Mapping[str, NewerSum]) -> SumRows:
    """Return the sums still newer than the booked ones; a claim may have booked another sum meanwhile."""
    rows = []
    for site in sorted(waiting):
        member, (new, booked) = books.members[site], waiting[site]
        if member.left or "rolled_back" in member.stops:
            continue
        if member.sum is booked or judge(member.sum, new) == "newer":
            rows.append(new)
    return SumRows(rows)


def _summed(books: HubBooks, rows: Sequence[m.SiteSum], at: Instant) -> Fact:
    known = {row.site: books.members[row.site].sum for row in rows}
    return summed(books.state, known, rows, at)


def debts(books: HubBooks, at: Instant) -> list[Fact]:
    """Stop sites that owe more than their limit or for too long, and lift the stop when they no longer do."""
    link, facts = books.state.link.id, list[Fact]()
    for member in books.active:
        late = bool(member.owes_since) and at - member.owes_since > LONGEST_DEBT
        for cause, holds in (("owes", member.owes > member.limit), ("overdue", late)):
            if holds and cause not in member.stops:
                reason = _debt(member)
                facts.append(SiteStopped(link=link, at=at, site=member.site, cause=cause, reason=reason))
            if not holds and cause in member.stops:
                cured = SiteCured(
                    link=link,
                    at=at,
                    site=member.site,
                    cause=cause,
                    evidence=_debt(member),
                    by=books.state.link.id,
                    approved_by=books.state.link.id,
                )
                facts.append(cured)
    return facts


def _debt(member: NetworkMember) -> str:
    return f"it owes {dollars(member.owes)}, its limit is {dollars(member.limit)}"


# --- awards ---


def _claim(
    books: HubBooks, member: NetworkMember, claim: m.ClaimUp, history: HubHistory, at: Instant
) -> tuple[tuple[Fact, ...], tuple[m.SiteSum, ...]]:
    """Book the site's sum (with the winner's own round), the claim and its lock in one transaction."""
    if claim.award in books.state.awards or claim.award in books.barred or why_refused(books, claim):
        return (), ()
    verdict = judge(member.sum, claim.sum)
    if verdict == "rolled_back":
        return rolled_back(member, claim.sum, at), ()
    rows = SumRows([claim.sum] if verdict == "newer" else [])
    first = (_summed(books, rows, at),) if rows else ()
    state = apply(books.state, first[0]) if first else books.state
    change: list[Fact] = [
        Claimed(
            link=claim.link,
            at=at,
            award=claim.award,
            table=claim.site,
            round=member.claims + 1,
            seat=claim.seat,
            hand=claim.hand,
            by=claim.by,
            cards=claim.cards,
        )
    ]
    terms = state.link.network
    if terms is not None and terms.several_sites == "shown" and claim.shown:
        least = _least(books, claim, history)
        change.append(LeastAmount(link=claim.link, at=at, award=claim.award, entry=claim.shown, amount=least))
    return (*first, *relock(state, (claim.site, member.claims + 1), change, at)), rows


def _least(books: HubBooks, claim: m.ClaimUp, history: HubHistory) -> Micros:
    """Return the amount that the hand would have won from the meter on the site's sign."""
    state = books.state
    level = state.link.level_paying(claim.hand)
    sign_balances = {accounts.meter(state.link.id, level): history.meter_after(claim.shown, level)}
    then = changed(state, balances={**state.balances, **sign_balances})
    return meter_pays_of(then, {claim.seat: claim.hand})[claim.seat].amount


def _confirm(books: HubBooks, message: m.ConfirmUp, at: Instant) -> tuple[Fact, ...]:
    """Confirm an award in its turn, at the lock that the site's people saw."""
    award, grant = books.state.awards.get(message.award), books.grants.get(message.award)
    if award is None or grant is None or grant.number != message.grant or award.status != "claimed":
        return ()
    terms = books.state.link.network
    signed = books.countersigned.get(award.id) == grant.number
    if terms is not None and terms.needs_countersign(award.amount) and not signed:
        return ()
    badges = [Badge(message.supervisor, "supervisor")]
    if message.executive:
        others = [badge for badge in badges if badge.person != message.executive]
        badges = [*others, Badge(message.executive, "executive")]
    round_ = TableRound(table=award.table, link=books.state.link, number=award.round)
    try:
        return awards.confirm(
            books.state, round_, awards=[award.id], badges=badges, amount=message.amount, at=at
        )
    except ProblemsError:  # Another claim is ahead; the site retries.
        return ()


def _hand_over(books: HubBooks, message: m.PaidUp, at: Instant) -> tuple[Fact, ...]:
    award = books.state.awards.get(message.award)
    if award is None or award.status != "confirmed":
        return ()
    return (HandedOver(link=message.link, at=at, award=award.id, site=message.site, amount=award.amount),)


def _void(books: HubBooks, message: m.VoidUp, at: Instant) -> tuple[Fact, ...]:
    """Clear a claim; later claims on its level are locked again as if it had never been made."""
    award = books.state.awards.get(message.award)
    if award is None:
        known = message.award in books.barred
        bar = Barred(link=message.link, at=at, site=message.site, award=message.award)
        return () if known else (bar,)
    if award.status != "claimed":
        return ()
    return awards.void(books.state, awards=[award.id], reason=message.reason, at=at, by=message.by)


def _reverse(books: HubBooks, message: m.ReverseUp, at: Instant) -> tuple[Fact, ...]:
    """Put back an award that two people at its site reversed; later locks do not change."""
    award = books.state.awards.get(message.award)
    if award is None or award.status not in ("confirmed", "paid") or award.amount != message.amount:
        return ()
    seed, reserve = restart_undone(books.state, award)
    back = ReversalReceived(
        link=message.link,
        at=at,
        site=message.site,
        **given_back(award, seed=seed, reserve=reserve),
        handed_over=award.status == "paid",
        reason=message.reason,
        by=message.by,
        approved_by=message.approved_by,
    )
    return (back,)


# --- a new version ---


def _ready(
    books: HubBooks, member: NetworkMember, message: m.ReadyUp, at: Instant
) -> tuple[tuple[Fact, ...], tuple[m.SiteSum, ...]]:
    """Record that a site is ready, with its last sum; the version takes effect when all sites are ready."""
    change = books.change
    if change is None or change.version != message.version or message.shown < change.entry:
        return (), ()
    verdict = judge(member.sum, message.sum)
    if verdict == "rolled_back":
        return rolled_back(member, message.sum, at), ()
    rows = SumRows([message.sum] if verdict == "newer" else [])
    facts: list[Fact] = [_summed(books, rows, at)] if rows else []
    if member.site not in change.ready:
        facts.append(SiteReady(link=message.link, at=at, site=member.site, version=message.version))
    if set(not_ready(books)) <= {member.site}:
        facts += take_effect(books, at)
    return tuple(facts), rows
