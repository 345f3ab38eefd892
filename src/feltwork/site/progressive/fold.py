"""Folds facts into the state of a link; balances come from the same postings that go to the books."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from feltwork.site.progressive import facts
from feltwork.site.progressive.accounts import kind_of
from feltwork.site.progressive.chain import Chained, Tail, append
from feltwork.site.progressive.contribution import plan_of
from feltwork.site.progressive.entry import Entry, fold
from feltwork.site.progressive.facts import Fact
from feltwork.site.progressive.postings import entry_for
from feltwork.site.progressive.state import HITS_SHOWN, SETTLED, Award, Counters, LinkState, award_of

_NEVER_BELOW_ZERO = frozenset({"meter", "reserve", "payable"})
#: Facts that move a pool for a claim; all others are inflow, of which a claim gets only what came before it.
_OF_CLAIMS = (facts.Locked, facts.Released)


def apply(state: LinkState, fact: Fact) -> LinkState:
    """Return the state after a fact."""
    return _applied(state, fact, entry_for(fact))


def apply_all(state: LinkState, some: Iterable[Fact]) -> LinkState:
    """Return the state after several facts."""
    for fact in some:
        state = apply(state, fact)
    return state


def book(state: LinkState, tail: Tail, some: Iterable[Fact]) -> tuple[LinkState, tuple[Chained, ...]]:
    """Return the state after several facts, and one entry per fact at the end of the link's chain."""
    entries: list[Chained] = []
    for fact in some:
        entry = entry_for(fact)
        state = _applied(state, fact, entry)
        entries.append(append(entries[-1].tail if entries else tail, entry))
    return state, tuple(entries)


def _applied(state: LinkState, fact: Fact, entry: Entry) -> LinkState:
    assert fact.link == state.link.id, f"a fact of {fact.link} is not one of {state.link.id}"
    if not entry.postings:
        return _below_cap(_STEPS[type(fact)](state, fact))
    balances = fold(state.balances, entry.postings)
    for posting in entry.postings:
        if kind_of(posting.account) in _NEVER_BELOW_ZERO:
            assert balances.get(posting.account, 0) >= 0, f"{posting.account} below zero after {entry.kind}"
    if isinstance(fact, _OF_CLAIMS):
        return _below_cap(_STEPS[type(fact)](replace(state, balances=balances), fact))
    inflow = dict(state.inflow)
    for posting in entry.postings:
        if kind_of(posting.account) in ("meter", "reserve"):
            inflow[posting.account] = inflow.get(posting.account, 0) + posting.amount
    return _below_cap(_STEPS[type(fact)](replace(state, balances=balances, inflow=inflow), fact))


def _below_cap(state: LinkState) -> LinkState:
    """Reset the overflow of a cap once its meter has room again."""
    if not state.overflow:
        return state
    overflow = {
        level: amount for level, amount in state.overflow.items() if amount and state.room(level) == 0
    }
    return replace(state, overflow=overflow)


def _contributed(state: LinkState, fact: facts.Contributed) -> LinkState:
    return _take_in(state, fact, wagers=sum(fact.wagers.values()))


def _wager_added(state: LinkState, fact: facts.WagerAdded) -> LinkState:
    return _take_in(state, fact, wagers=1)


def _take_in(state: LinkState, fact: facts.Contributed | facts.WagerAdded, *, wagers: int) -> LinkState:
    counters = {
        level: replace(
            counter,
            wagers=counter.wagers + wagers,
            wagered=counter.wagered + wagers * fact.wager,
            accrued=counter.accrued + fact.to_meter[level],
            reserved=counter.reserved + fact.to_reserve[level] + fact.overflow.get(level, 0),
            overflow=counter.overflow + fact.overflow.get(level, 0),
        )
        for level, counter in state.counters.items()
    }
    if not fact.overflow:
        return replace(state, counters=counters)
    overflow = {
        level: state.overflow.get(level, 0) + fact.overflow.get(level, 0)
        for level in {**state.overflow, **fact.overflow}
    }
    return replace(state, counters=counters, overflow=overflow)


def _misdealt(state: LinkState, fact: facts.Misdealt) -> LinkState:
    state = _give_back(state, fact, wagers=fact.wagers)
    return replace(state, misdealt=state.misdealt | {(fact.table, fact.round)})


def _wager_returned(state: LinkState, fact: facts.WagerReturned) -> LinkState:
    return _give_back(state, fact, wagers=1)


def _give_back(state: LinkState, fact: facts.Misdealt | facts.WagerReturned, *, wagers: int) -> LinkState:
    counters = {
        level: replace(
            counter,
            returned=counter.returned + fact.from_meter[level] + fact.from_reserve[level],
        )
        for level, counter in state.counters.items()
    }
    each = plan_of(state.link).to_reserve
    overflow = {
        level: max(0, amount + each[level] * wagers - fact.from_reserve[level])
        for level, amount in state.overflow.items()
    }
    return replace(state, counters=counters, overflow=overflow)


def _overflowed(state: LinkState, fact: facts.Overflowed) -> LinkState:
    amount = state.overflow.get(fact.level, 0) + fact.amount
    return replace(state, overflow={**state.overflow, fact.level: amount})


def _claimed(state: LinkState, fact: facts.Claimed) -> LinkState:
    level = state.link.level_paying(fact.hand)
    award = replace(
        award_of(fact), meter_inflow=state.meter_inflow(level), reserve_inflow=state.reserve_inflow(level)
    )
    return replace(state, awards={**state.awards, award.id: award}, changed=award.id)


def _cards_entered(state: LinkState, fact: facts.CardsEntered) -> LinkState:
    return _award(state, fact.award, cards=fact.cards)


def _locked(state: LinkState, fact: facts.Locked) -> LinkState:
    released = dict(state.released)
    amount = fact.from_meter + fact.from_house
    if released.pop(fact.award, amount) != amount:
        state = _award(state, fact.award, changed_by=state.changed)
    state = replace(state, locks=state.locks + 1, released=released)
    if not state.link.is_house and state.link.lock_at != "claim":
        shown = state.unmoved.get(fact.level, {})
        more = fact.from_meter - fact.seed - fact.reserve
        state = replace(state, unmoved={**state.unmoved, fact.level: {**shown, fact.award: more}})
    if not state.awards[fact.award].first_lock:
        state = _award(
            state,
            fact.award,
            first_lock=state.locks,
            meter_inflow=state.meter_inflow(fact.level),
            reserve_inflow=state.reserve_inflow(fact.level),
        )
    return _award(
        state,
        fact.award,
        level=fact.level,
        from_meter=fact.from_meter,
        from_house=fact.from_house,
        seed=fact.seed,
        reserve=fact.reserve,
        locked=True,
        lock_number=state.locks,
        restarts=fact.restarts,
    )


def _released(state: LinkState, fact: facts.Released) -> LinkState:
    state = replace(
        _moved(state, fact), released={**state.released, fact.award: state.awards[fact.award].amount}
    )
    return _award(
        state, fact.award, from_meter=0, from_house=0, seed=0, reserve=0, locked=False, restarts=False
    )


def _moved(state: LinkState, fact: facts.Released | facts.Confirmed | facts.MeterMoved) -> LinkState:
    shown = {name: more for name, more in state.unmoved.get(fact.level, {}).items() if name != fact.award}
    others = {level: awards for level, awards in state.unmoved.items() if level != fact.level}
    return replace(state, unmoved={**others, fact.level: shown} if shown else others)


def _confirmed(state: LinkState, fact: facts.Confirmed) -> LinkState:
    if state.link.lock_at == "confirm":
        state = _moved(state, fact)
    state = _award(
        state,
        fact.award,
        status="confirmed",
        level=fact.level,
        from_meter=fact.from_meter,
        from_house=fact.from_house,
        restarts=fact.restarts,
        supervisor=fact.supervisor,
        executive=fact.executive,
    )
    lock = state.awards[fact.award].lock_number
    passed = {
        name: is_passed or (state.awards[name].level == fact.level and state.awards[name].lock_number < lock)
        for name, is_passed in state.aside.items()
        if name != fact.award
    }
    state = replace(state, aside=passed)
    counter = state.counters[fact.level]
    won = counter.won + fact.from_meter + fact.from_house
    state = _count(state, fact.level, hits=counter.hits + 1, won=won)
    return replace(state, hits=(*state.hits, fact.award)[-HITS_SHOWN:])


def _set_aside(state: LinkState, fact: facts.SetAside) -> LinkState:
    return replace(state, aside={**state.aside, fact.award: False})


def _voided(state: LinkState, fact: facts.Voided) -> LinkState:
    released = {name: amount for name, amount in state.released.items() if name != fact.award}
    aside = {name: is_passed for name, is_passed in state.aside.items() if name != fact.award}
    state = replace(state, released=released, aside=aside, changed=fact.award)
    return _award(state, fact.award, status="voided")


def _paid(state: LinkState, fact: facts.Paid) -> LinkState:
    level = state.awards[fact.award].level
    paid = state.counters[level].paid + fact.amount
    return _count(_award(state, fact.award, status="paid", paid_by=fact.by), level, paid=paid)


def _confiscated(state: LinkState, fact: facts.Confiscated) -> LinkState:
    return _award(state, fact.award, status="confiscated")


def remaining_share_of(state: LinkState, award: Award) -> Award | None:
    """Return another award of the round that keeps its share of the prize when this one is reversed."""
    place = (award.table, award.round, award.level)
    others = (other for other in state.awards.values() if other.id != award.id and state.link.shares_prizes)
    candidates = (other for other in others if other.status in SETTLED)
    return next((other for other in candidates if (other.table, other.round, other.level) == place), None)


def _reversed(state: LinkState, fact: facts.Reversed) -> LinkState:
    award = state.awards[fact.award]
    if other := remaining_share_of(state, award):
        # The restart of the meter stays with that share, and is undone with the last share.
        state = _award(state, other.id, seed=other.seed + award.seed, reserve=other.reserve + award.reserve)
    state = replace(
        _award(state, fact.award, status="reversed"), adjustments=state.adjustments | {fact.adjustment}
    )
    back = state.counters[fact.level].reversed + fact.to_meter + fact.to_house
    return _count(state, fact.level, reversed=back)


def _adjusted(state: LinkState, fact: facts.Adjusted) -> LinkState:
    return replace(state, adjustments=state.adjustments | {fact.adjustment})


def _opened(state: LinkState, _fact: facts.Opened) -> LinkState:
    return replace(state, life="open")


def _stopped(state: LinkState, fact: facts.Stopped) -> LinkState:
    return replace(state, stops={fact.cause: fact.at, **state.stops})


def _cured(state: LinkState, fact: facts.Cured) -> LinkState:
    return replace(state, stops={cause: at for cause, at in state.stops.items() if cause != fact.cause})


def _funds_counted(state: LinkState, fact: facts.FundsCounted) -> LinkState:
    return replace(state, funds_at_count=fact.required, counted_entry=fact.entry)


def _cap_set(state: LinkState, fact: facts.CapSet) -> LinkState:
    return replace(state, caps={**state.caps, fact.level: fact.after})


def _amount_set(state: LinkState, fact: facts.AmountSet) -> LinkState:
    return replace(state, amounts={**state.amounts, fact.level: fact.after})


def _reconfigured(state: LinkState, fact: facts.Reconfigured) -> LinkState:
    return replace(state, link=state.versions[fact.version])


def _removal_planned(state: LinkState, fact: facts.RemovalPlanned) -> LinkState:
    return replace(state, remove_at=fact.remove_at, target=fact.target)


def _removed(state: LinkState, fact: facts.Removed) -> LinkState:
    return replace(state, life="removed", removed_at=fact.at)


def _money_alone(state: LinkState, _fact: Fact) -> LinkState:
    return state


def _award(state: LinkState, award: str, **changes: Any) -> LinkState:
    return replace(state, awards={**state.awards, award: replace(state.awards[award], **changes)})


def _count(state: LinkState, level: str, **changes: int) -> LinkState:
    counter: Counters = replace(state.counters[level], **changes)
    return replace(state, counters={**state.counters, level: counter})


_STEPS: Mapping[type[Fact], Callable[[LinkState, Any], LinkState]] = {
    facts.Contributed: _contributed,
    facts.Misdealt: _misdealt,
    facts.WagerAdded: _wager_added,
    facts.WagerReturned: _wager_returned,
    facts.PaidFromTray: _money_alone,
    facts.Claimed: _claimed,
    facts.CardsEntered: _cards_entered,
    facts.Locked: _locked,
    facts.Released: _released,
    facts.Overflowed: _overflowed,
    facts.Confirmed: _confirmed,
    facts.MeterMoved: _moved,
    facts.SetAside: _set_aside,
    facts.Voided: _voided,
    facts.Paid: _paid,
    facts.Confiscated: _confiscated,
    facts.Reversed: _reversed,
    facts.Adjusted: _adjusted,
    facts.Opened: _opened,
    facts.Stopped: _stopped,
    facts.Cured: _cured,
    facts.FundsCounted: _funds_counted,
    facts.CapSet: _cap_set,
    facts.AmountSet: _amount_set,
    facts.Reconfigured: _reconfigured,
    facts.RemovalPlanned: _removal_planned,
    facts.Removed: _removed,
    facts.Received: _money_alone,
}
