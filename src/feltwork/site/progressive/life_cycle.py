"""The life cycle of a link: open, stop and cure, cap, reconfigure, remove with notice."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from feltwork import money
from feltwork.money import CENT, Micros
from feltwork.site.progressive.facts import (
    DAY,
    CapSet,
    Cured,
    Fact,
    FundsCounted,
    Instant,
    Opened,
    Received,
    Reconfigured,
    RemovalPlanned,
    Removed,
    Stopped,
)
from feltwork.site.progressive.house_jackpot import verify_progressive
from feltwork.site.progressive.link import NO_CAP, Link, verify_link
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.round import TableRound
from feltwork.site.progressive.sign_offs import TwoPersonRequest, verify_asked, verify_told
from feltwork.site.progressive.state import LinkState

Cause: TypeAlias = Literal["suspended", "seized", "shortfall"]
#: How a new cap must compare with the meter: at least it in Washington, above it elsewhere [WA-09, GEN-15].
CapRule: TypeAlias = Literal["at_least", "above"]
#: Deadline for the money of a removed link to arrive at its target [GEN-16].
TRANSFER_DAYS = 30


def open_link(state: LinkState, request: TwoPersonRequest, *, at: Instant) -> Opened:
    """Go live with meters at their seeds, and record the opening amounts [WA-08, GEN-03]."""
    where = f"link {state.link.id}"
    verify_link(state.link)
    verify_asked(where, request, "GEN-19")
    if state.life != "planned":
        raise refuse(where, f"the link is {state.life}", "a link can be opened only once", "GEN-03")
    return Opened(
        link=state.link.id,
        at=at,
        version=state.link.fingerprint,
        opening={level.name: level.seed for level in state.link.levels},
        by=request.by,
        approved_by=request.approved_by,
    )


def stop(state: LinkState, *, cause: Cause, reason: str, at: Instant, by: str) -> Stopped:
    """Stop wagering immediately, by the house's choice or because funds were seized [WA-20]."""
    where = f"link {state.link.id}"
    verify_told(where, "WA-08", reason=reason)
    if state.life != "open" or cause in state.stops:
        raise refuse(
            where,
            f"the link is {state.life}, {', '.join(state.stops) or 'running'}",
            "there is nothing to stop",
            "WA-20",
        )
    return Stopped(link=state.link.id, at=at, cause=cause, reason=reason, by=by)


def resume(state: LinkState, request: TwoPersonRequest, *, at: Instant) -> Cured:
    """Resume wagering after a suspension."""
    return _cured(state, "suspended", request, at=at, requirement="WA-08")


def restore_seized(state: LinkState, request: TwoPersonRequest, *, replaced: Micros, at: Instant) -> Cured:
    """Resume wagering after a seizure, once the posted amounts are back in the bank [WA-20]."""
    posted = sum(state.shown(level) for level in state.link.level_names)
    if replaced < posted:
        what = f"{money.dollars(replaced)} is back, {money.dollars(posted)} is posted"
        raise refuse(f"link {state.link.id}", what, "restore the full posted amount first", "WA-20")
    return _cured(state, "seized", request, at=at, requirement="WA-20")


@dataclass(frozen=True, slots=True, kw_only=True)
class BankCount:
    """A bank balance, and the amount held for players after the last entry before the cutoff."""

    bank_balance: Micros
    entry: int
    required: Micros
    tolerance: Micros = 0

    @property
    def short(self) -> Micros:
        """The missing amount if it exceeds the tolerance, or 0."""
        missing = self.required - self.bank_balance
        return missing if missing > self.tolerance else 0


def count_funds(state: LinkState, count: BankCount, *, at: Instant, by: str) -> tuple[Fact, ...]:
    """Compare the bank balance with the amount held for players; a shortfall stops the link [WA-18]."""
    if count.entry < state.counted_entry:
        what = f"the last count covers entry {state.counted_entry}, this one only entry {count.entry}"
        raise refuse(f"link {state.link.id}", what, "choose a later cutoff", "WA-18")
    new_facts: list[Fact] = [
        FundsCounted(
            link=state.link.id,
            at=at,
            entry=count.entry,
            required=count.required,
            bank_balance=count.bank_balance,
            tolerance=count.tolerance,
            accrued=count.required - state.funds_at_count,
            by=by,
        )
    ]
    if count.short and "shortfall" not in state.stops and state.life == "open":
        reason = f"{money.text(count.short)} is missing"
        new_facts.append(Stopped(link=state.link.id, at=at, cause="shortfall", reason=reason, by=by))
    if not count.short and "shortfall" in state.stops:
        evidence = f"bank balance {money.text(count.bank_balance)}"
        new_facts.append(
            Cured(link=state.link.id, at=at, cause="shortfall", evidence=evidence, by=by, approved_by=by)
        )
    return tuple(new_facts)


def set_cap(
    state: LinkState, request: TwoPersonRequest, *, level: str, cap: Micros, rule: CapRule, at: Instant
) -> CapSet:
    """Set a cap at or above the current amount, or remove it with ``NO_CAP`` [WA-09, GEN-15]."""
    where = f"link {state.link.id}, level {level}"
    verify_asked(where, request, "GEN-19")
    verify_progressive(state, where)
    held = max(state.meter(level), state.shown(level))
    least = max(held, state.link.level(level).seed)
    if cap != NO_CAP and (cap % CENT or cap < least or (rule == "above" and cap == held)):
        what = f"a cap of {money.text(cap)} is not {rule.replace('_', ' ')} {money.text(least)}"
        raise refuse(where, what, "choose a higher one, in whole cents", "WA-09" if cap < least else "GEN-15")
    return CapSet(
        link=state.link.id,
        at=at,
        level=level,
        before=state.cap(level),
        after=cap,
        reason=request.reason,
        by=request.by,
        approved_by=request.approved_by,
    )


def cap_notice(state: LinkState, level: str) -> str:
    """The display notice while a cap is set [WA-09]."""
    cap = state.cap(level)
    return "" if cap == NO_CAP else f"{level} is capped at {money.text(cap)}; the excess goes to the reserve"


def reconfigure(
    state: LinkState, new: Link, request: TwoPersonRequest, *, rounds: Collection[TableRound], at: Instant
) -> tuple[LinkState, Reconfigured]:
    """Apply a new version to a suspended link with no open round or claim [GEN-06, LT-10]."""
    where = f"link {state.link.id}"
    verify_link(new)
    verify_asked(where, request, "GEN-19")
    if "suspended" not in state.stops:
        raise refuse(where, "the link is open", "suspend it first", "GEN-06")
    if any(round_.phase != "idle" for round_ in rounds) or _unsettled(state):
        raise refuse(where, "a round or a claim is open", "end and settle it first", "GEN-06")
    if (new.id, new.kind, new.level_names) != (state.link.id, state.link.kind, state.link.level_names):
        raise refuse(
            where,
            "the id, the kind or the levels differ",
            "create a new link and transfer the money",
            "GEN-06",
        )
    for level in new.levels:
        if state.cap(level.name) not in (NO_CAP, max(state.cap(level.name), level.seed)):
            what = f"the seed of {level.name} is above its cap"
            raise refuse(where, what, "raise the cap first", "WA-09")
    fact = Reconfigured(
        link=state.link.id,
        at=at,
        before=state.link.fingerprint,
        version=new.fingerprint,
        by=request.by,
        approved_by=request.approved_by,
    )
    return replace(state, versions={**state.versions, new.fingerprint: new}), fact


def plan_removal(
    state: LinkState,
    request: TwoPersonRequest,
    *,
    remove_at: Instant,
    notice_days: int,
    target: str,
    at: Instant,
) -> RemovalPlanned:
    """Announce the removal of a link: date, notice and target of the money [WA-22]."""
    where = f"link {state.link.id}"
    verify_progressive(state, where)
    verify_asked(where, request, "WA-22")
    verify_told(where, "WA-22", target=target)
    if state.life != "open":
        raise refuse(where, f"the link is {state.life}", "only an open link can be removed", "WA-22")
    if remove_at < at + notice_days * DAY:
        raise refuse(where, f"patrons get {notice_days} days of notice", "choose a later date", "WA-22")
    return RemovalPlanned(
        link=state.link.id,
        at=at,
        remove_at=remove_at,
        target=target,
        notice=request.reason,
        by=request.by,
        approved_by=request.approved_by,
    )


def remove(state: LinkState, request: TwoPersonRequest, *, at: Instant) -> Removed:
    """Remove the link after the notice period; no money stays in it or goes to the operator [WA-22].

    A house jackpot holds no player money and needs no notice [WA-02].
    """
    where = f"link {state.link.id}"
    verify_asked(where, request, "WA-22")
    if state.life != "open":
        raise refuse(where, f"the link is {state.life}", "only an open link can be removed", "WA-22")
    if not state.target and not state.link.is_house:
        raise refuse(where, "no removal is planned", "announce it with its notice first", "WA-22")
    if at < state.remove_at:
        raise refuse(where, "the notice period is not over", "wait for the announced date", "WA-22")
    if _unsettled(state):
        raise refuse(where, "an award is not settled", "pay or void it first", "WA-22")
    return Removed(
        link=state.link.id,
        at=at,
        target=state.target,
        from_meter={}
        if state.link.is_house
        else {level: state.meter(level) for level in state.link.level_names},
        from_reserve={level: state.reserve(level) for level in state.link.level_names},
        by=request.by,
        approved_by=request.approved_by,
    )


def receive(
    target: LinkState,
    removed: Removed,
    source: Link,
    request: TwoPersonRequest,
    *,
    levels: Mapping[str, str],
    at: Instant,
) -> Received:
    """Receive the money of a removed link with the same wager and odds, within the time allowed [GEN-16].

    ``levels`` maps each level of the removed link to a level of this one.
    """
    where = f"link {target.link.id}"
    verify_asked(where, request, "GEN-16")
    verify_progressive(target, where)
    verify_target(source, target.link)
    if removed.target != target.link.id or target.life != "open":
        raise refuse(where, f"the money goes to {removed.target}", "receive it there", "GEN-16")
    if at > removed.at + TRANSFER_DAYS * DAY:
        raise refuse(where, f"the {TRANSFER_DAYS} days are over", "ask the regulator", "GEN-16")
    to_meter: dict[str, Micros] = {}
    to_reserve: dict[str, Micros] = {}
    for level, amount in removed.from_meter.items():
        into = levels[level]
        room = target.room(into)
        fits = amount if room is None else min(amount, max(0, room - to_meter.get(into, 0)))
        to_meter[into] = to_meter.get(into, 0) + fits
        to_reserve[into] = to_reserve.get(into, 0) + amount - fits
    for level, amount in removed.from_reserve.items():
        to_reserve[levels[level]] = to_reserve.get(levels[level], 0) + amount
    return Received(
        link=target.link.id,
        at=at,
        source=source.id,
        to_meter=to_meter,
        to_reserve=to_reserve,
        by=request.by,
        approved_by=request.approved_by,
    )


def verify_target(source: Link, target: Link) -> None:
    """Raise if the hands, odds or wager of two links differ [GEN-16]."""
    for name in ("jackpot", "variant", "wager"):
        if getattr(source, name) != getattr(target, name):
            what = f"its {name} is {getattr(target, name)}, not {getattr(source, name)}"
            raise refuse(f"link {target.id}", what, "choose a link with the same wager and odds", "GEN-16")
    if source.paytable.fingerprint != target.paytable.fingerprint:
        remedy = "choose a link with the same wager and odds"
        raise refuse(f"link {target.id}", f"it pays by {target.paytable.name}", remedy, "GEN-16")


def _cured(
    state: LinkState, cause: Cause, request: TwoPersonRequest, *, at: Instant, requirement: str
) -> Cured:
    where = f"link {state.link.id}"
    verify_asked(where, request, requirement)
    if cause not in state.stops:
        raise refuse(where, f"it is not {cause}", "there is nothing to resume", requirement)
    return Cured(
        link=state.link.id,
        at=at,
        cause=cause,
        evidence=request.reason,
        by=request.by,
        approved_by=request.approved_by,
    )


def _unsettled(state: LinkState) -> bool:
    return any(award.status in ("claimed", "confirmed") for award in state.awards.values())
