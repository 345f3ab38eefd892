"""Locks: a claim's amount is set aside when its hand is pressed, the meter restarts, and how both are undone.

Every level has a queue of its unconfirmed claims in the order of the presses, with the claims of a round
together. A claim gets the level's amount at its turn. Any change to a claim releases the queue behind it and
locks it again, so later claims come out as if the change had been made from the start; inflow to the level
after a claim's own lock is excluded from it.

A house jackpot has no queue: every claim is locked when it is made, at the amount posted then, and no other
claim or posting changes it.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from feltwork.money import Micros
from feltwork.site.progressive import accounts
from feltwork.site.progressive.button_pays import MeterPay, meter_pays_of
from feltwork.site.progressive.facts import Claimed, Fact, Instant, Locked, Overflowed, Released, Voided
from feltwork.site.progressive.fold import apply, apply_all
from feltwork.site.progressive.link import NO_CAP
from feltwork.site.progressive.state import Award, LinkState

#: The round of a claim: its table and number.
Place: TypeAlias = tuple[str, int]


def relock(state: LinkState, place: Place, change: Sequence[Fact], at: Instant) -> tuple[Fact, ...]:
    """Change the claims of a round, and lock the affected queues again."""
    if state.link.is_house:
        return _lock_posted(state, place, change, at)
    facts: list[Fact] = []

    def book(fact: Fact) -> None:
        nonlocal state
        facts.append(fact)
        state = apply(state, fact)

    before = state.open_claims(*place)
    voided = {fact.award for fact in change if isinstance(fact, Voided)}
    hands = [claim.hand for claim in before] + [fact.hand for fact in change if isinstance(fact, Claimed)]
    levels = {state.link.level_paying(hand) for hand in hands}
    for claim in _released_for(state, place, levels, voided):
        book(released(state, claim, at))
    for fact in change:
        book(fact)
    for level in state.link.level_names:
        if level in levels:
            for turn in _turns(state, level, place):
                for fact in lock_turn(state, turn, level, at):
                    book(fact)
            excess = _excess(state, level) if len(facts) > len(change) else 0
            if excess > 0:
                book(Overflowed(link=state.link.id, at=at, level=level, amount=excess))
    return tuple(facts)


def _lock_posted(state: LinkState, place: Place, change: Sequence[Fact], at: Instant) -> tuple[Fact, ...]:
    """Change claims on posted amounts: release voided claims, and lock new ones [WA-03]."""
    voided = [state.awards[fact.award] for fact in change if isinstance(fact, Voided)]
    new_facts: list[Fact] = [released(state, claim, at) for claim in voided if claim.locked]
    new_facts += change
    state = apply_all(state, new_facts)
    new = [claim for claim in state.open_claims(*place) if not claim.locked]
    due = meter_pays_of(state, {claim.seat: claim.hand for claim in new})
    new_facts += [locked(state, claim.id, due[claim.seat], at) for claim in new]
    return tuple(new_facts)


def level_of(state: LinkState, claim: Award) -> str:
    """Return the level that pays a claim."""
    return state.link.level_paying(claim.hand)


def lock_turn(state: LinkState, place: Place, level: str, at: Instant) -> tuple[Fact, ...]:
    """Lock the claims of a round on one level, in pay order, at the level's amount at their turn."""
    then = at_turn(state, place, level)
    facts: list[Fact] = []
    if (excess := _excess(then, level)) > 0:
        then = apply(then, Overflowed(link=state.link.id, at=at, level=level, amount=excess))
        # A later misdeal or adjustment may have left the meter with less than it held then.
        if (still := min(excess, _excess(state, level))) > 0:
            facts.append(Overflowed(link=state.link.id, at=at, level=level, amount=still))
            state = apply(state, facts[-1])
    for name, pay in pays_at(then, place, level).items():
        facts.append(locked_at_turn(state, then, name, pay, at))
        state, then = apply(state, facts[-1]), apply(then, facts[-1])
    return tuple(facts)


def at_turn(state: LinkState, place: Place, level: str) -> LinkState:
    """Return the state with the amounts of a level when the first claim of a round on it was locked."""
    first = _first_on(state, place, level)
    if first is None:
        return state
    meter = state.meter(level) - state.meter_inflow(level) + first.meter_inflow
    reserve = state.reserve(level) - state.reserve_inflow(level) + first.reserve_inflow
    then = {
        accounts.meter(state.link.id, level): max(0, meter),
        accounts.reserve(state.link.id, level): max(0, min(state.reserve(level), reserve)),
    }
    return replace(state, balances={**state.balances, **then})


def locked_at_turn(state: LinkState, then: LinkState, award: str, pay: MeterPay, at: Instant) -> Locked:
    """Return the lock of a claim at the amount of its turn.

    If a later misdeal or adjustment has left too little on the meter, the operator adds the rest; the restart
    takes at most the current reserve.
    """
    fact = locked(then, award, pay, at)
    fact = replace(fact, reserve=min(fact.reserve, state.reserve(pay.level)))
    claim = state.awards[award]
    came_since = state.meter_inflow(pay.level) - claim.meter_inflow if claim.first_lock else 0
    there = state.meter(pay.level) - max(0, came_since) + fact.seed + fact.reserve
    # An adjustment may also have taken what came since.
    short = max(0, fact.from_meter - max(0, there))
    return replace(fact, from_meter=fact.from_meter - short, from_house=fact.from_house + short)


def pays_at(state: LinkState, place: Place, level: str) -> dict[str, MeterPay]:
    """The pays of a round's claims on one level, in pay order."""
    seats = {claim.seat: claim for claim in _claims_on(state, place, level)}
    due = meter_pays_of(state, {seat: claim.hand for seat, claim in seats.items()})
    return {seats[seat].id: pay for seat, pay in due.items()}


def locked(state: LinkState, award: str, pay: MeterPay, at: Instant) -> Locked:
    """Take an award off the meter; after 100% it restarts at seed + reserve, reserve to zero [LT-06]."""
    level = state.link.level(pay.level)
    left = state.meter(pay.level) - pay.from_meter
    return Locked(
        link=state.link.id,
        at=at,
        award=award,
        level=pay.level,
        from_meter=pay.from_meter,
        from_house=pay.from_house,
        restarts=pay.restarts,
        seed=level.seed if pay.restarts else 0,
        reserve=state.top_up(pay.level, left=left) if pay.restarts else 0,
    )


def given_back(award: Award, *, seed: Micros, reserve: Micros) -> dict[str, Any]:
    """The fields of a fact that returns an amount to its sources."""
    return {
        "award": award.id,
        "level": award.level,
        "to_meter": award.from_meter,
        "to_house": award.from_house,
        "seed": seed,
        "reserve": reserve,
    }


def restart_undone(state: LinkState, award: Award) -> tuple[Micros, Micros]:
    """Return the seed and reserve to give back, limited to the meter's amount and the unrecovered seed."""
    held = state.meter(award.level) + award.from_meter
    reserve = min(award.reserve, held)
    seed = min(award.seed, held - reserve, state.unrecovered_seed(award.level))
    return seed, reserve


def released(state: LinkState, award: Award, at: Instant) -> Released:
    """Undo a lock; the last lock must be undone first."""
    seed, reserve = restart_undone(state, award)
    return Released(link=state.link.id, at=at, **given_back(award, seed=seed, reserve=reserve))


def _released_for(
    state: LinkState, place: Place, levels: Iterable[str], voided: Collection[str]
) -> list[Award]:
    """Return the locked claims from a round's own turn on, on some levels, last lock first."""
    freed = [state.awards[name] for name in voided if state.aside.get(name)]
    for level in levels:
        queue = queue_of(state, level)
        last = state.locks + 1
        freed += [
            claim
            for claim in _waiting_on(state, level)
            if claim.locked and queue.get((claim.table, claim.round), last) >= queue.get(place, last)
        ]
    return sorted(freed, key=lambda claim: claim.lock_number, reverse=True)


def _turns(state: LinkState, level: str, place: Place) -> list[Place]:
    """Return the rounds to lock on a level, in queue order: those released, and ``place``."""
    places = {
        (claim.table, claim.round)
        for claim in _waiting_on(state, level)
        if not claim.locked and (claim.first_lock or (claim.table, claim.round) == place)
    }
    queue = queue_of(state, level)
    return sorted(places, key=lambda round_place: queue.get(round_place, state.locks + 1))


def queue_of(state: LinkState, level: str) -> dict[Place, int]:
    """Return a level's queue: its rounds with their first lock; voided and reversed awards have no turn."""
    queue: dict[Place, int] = {}
    for award in state.awards.values():
        if _has_turn(state, award, level):
            place = (award.table, award.round)
            queue[place] = min(queue.get(place, award.first_lock), award.first_lock)
    return queue


def _first_on(state: LinkState, place: Place, level: str) -> Award | None:
    """Return the award of a round that was locked first on a level."""
    awards = [
        award
        for award in state.awards.values()
        if (award.table, award.round) == place and _has_turn(state, award, level)
    ]
    return min(awards, key=lambda award: award.first_lock, default=None)


def _has_turn(state: LinkState, award: Award, level: str) -> bool:
    return (
        award.first_lock > 0
        and award.status not in ("voided", "reversed")
        and level_of(state, award) == level
    )


def _waiting_on(state: LinkState, level: str) -> list[Award]:
    """The unconfirmed claims whose amount a change to a claim before them may still change."""
    return [
        award
        for award in state.awards.values()
        if award.status == "claimed" and not state.aside.get(award.id) and level_of(state, award) == level
    ]


def _claims_on(state: LinkState, place: Place, level: str) -> list[Award]:
    return [claim for claim in _waiting_on(state, level) if (claim.table, claim.round) == place]


def _excess(state: LinkState, level: str) -> Micros:
    cap = state.cap(level)
    return 0 if cap == NO_CAP else state.meter(level) - cap
