"""Locks: when an amount leaves its meter, what the meter starts again with, and how both are undone."""

from typing import Any

from feltwork.money import Micros
from feltwork.progressive.facts import Fact, Instant, Locked, Released
from feltwork.progressive.fold import apply
from feltwork.progressive.pays import MeterPay, meter_pays_of
from feltwork.progressive.round import TableRound
from feltwork.progressive.state import Award, LinkState


def recomputed(state: LinkState, round_: TableRound, change: list[Fact], at: Instant) -> tuple[Fact, ...]:
    """Give back what the round's open claims had locked, change the claims, and lock them again."""
    told: list[Fact] = []
    held = [award for award in state.open_claims(round_.table, round_.number) if award.locked]
    for award in sorted(held, key=lambda award: award.lock_number, reverse=True):
        told.append(_released(state, award, at))
        state = apply(state, told[-1])
    for fact in change:
        told.append(fact)
        state = apply(state, fact)
    if state.link.lock_at == "claim":
        for name, due in due_pays(state, round_).items():
            told.append(locked(state, name, due, at))
            state = apply(state, told[-1])
    return tuple(told)


def due_pays(state: LinkState, round_: TableRound) -> dict[str, MeterPay]:
    """What the open claims of the round take, in pay order."""
    seats = {award.seat: award for award in state.open_claims(round_.table, round_.number)}
    due = meter_pays_of(state, {seat: award.hand for seat, award in seats.items()})
    return {seats[seat].id: pay for seat, pay in due.items()}


def locked(state: LinkState, award: str, pay: MeterPay, at: Instant) -> Locked:
    """The amount leaves the meter; after 100 % it starts again at seed + reserve, reserve to zero [LT-06]."""
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


def _released(state: LinkState, award: Award, at: Instant) -> Released:
    """Undo a lock, the last one first."""
    seed, reserve = restart_undone(state, award)
    return Released(link=state.link.id, at=at, **given_back(award, seed=seed, reserve=reserve))


def given_back(award: Award, *, seed: Micros, reserve: Micros) -> dict[str, Any]:
    """What a fact says that gives an amount back where it came from."""
    return {
        "award": award.id,
        "level": award.level,
        "to_meter": award.from_meter,
        "to_house": award.from_house,
        "seed": seed,
        "reserve": reserve,
    }


def restart_undone(state: LinkState, award: Award) -> tuple[Micros, Micros]:
    """The seed and reserve that go back, as far as the meter still holds them and the seed is unrecovered."""
    held = state.free(award.level) + award.from_meter
    reserve = min(award.reserve, held)
    seed = min(award.seed, held - reserve, state.unrecovered_seed(award.level))
    return seed, reserve
