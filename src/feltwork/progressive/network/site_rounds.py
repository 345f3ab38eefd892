"""Rounds at a site of a network link: the same rules as on other links, but the pools are the hub's."""

from collections.abc import Sequence
from dataclasses import dataclass

from feltwork.progressive.contribution import (
    RefusedRound,
    fold_rounds,
    plan_of,
    verify_correction,
    verify_misdeal,
)
from feltwork.progressive.facts import Instant
from feltwork.progressive.network.facts import PassedBack, PassedOn, SeatPassedOn
from feltwork.progressive.round_facts import RoundStarted
from feltwork.progressive.state import LinkState


@dataclass(frozen=True, slots=True)
class PassedRounds:
    """The result of passing on a batch of rounds; no fact where every round was refused."""

    fact: PassedOn | None
    refused: tuple[RefusedRound, ...]


def pass_on(state: LinkState, rounds: Sequence[RoundStarted], *, at: Instant) -> PassedRounds:
    """Book a batch of rounds; the network's share is owed to the hub."""
    batch = fold_rounds(state, rounds, at=at)
    fact = batch.fact
    if fact is None:
        return PassedRounds(None, batch.refused)
    passed = PassedOn(
        link=fact.link,
        at=at,
        paytable=fact.paytable,
        version=fact.version,
        wager=fact.wager,
        rounds=fact.rounds,
        wagers=fact.wagers,
        digest=fact.digest,
        to_meter={level: amount + fact.overflow.get(level, 0) for level, amount in fact.to_meter.items()},
        to_reserve=fact.to_reserve,
        to_house=fact.to_house,
    )
    return PassedRounds(passed, batch.refused)


def add_seat(state: LinkState, started: RoundStarted, *, seat: int, at: Instant, by: str) -> SeatPassedOn:
    """Book the wager of a seat that START GAME missed."""
    verify_correction(state, started)
    plan, link = plan_of(state.link), state.link
    return SeatPassedOn(
        link=link.id,
        at=at,
        table=started.table,
        round=started.round,
        seat=seat,
        version=link.fingerprint,
        wager=link.wager,
        to_meter=plan.to_meter,
        to_reserve=plan.to_reserve,
        to_house=plan.to_house,
        by=by,
    )


def return_seat(state: LinkState, started: RoundStarted, *, seat: int, at: Instant, by: str) -> PassedBack:
    """Return the wager of one seat before the first card."""
    verify_correction(state, started)
    return _passed_back(state, started, (seat,), misdeal=False, at=at, by=by)


def misdeal(state: LinkState, started: RoundStarted, *, at: Instant, by: str) -> PassedBack:
    """Return the wagers of a void round; the hub takes them out of its pools."""
    verify_misdeal(state, started)
    return _passed_back(state, started, started.seats, misdeal=True, at=at, by=by)


def _passed_back(
    state: LinkState, started: RoundStarted, seats: Sequence[int], *, misdeal: bool, at: Instant, by: str
) -> PassedBack:
    plan, count = plan_of(state.link), len(seats)
    return PassedBack(
        link=state.link.id,
        at=at,
        table=started.table,
        round=started.round,
        seats=",".join(map(str, seats)),
        misdeal=misdeal,
        version=state.link.fingerprint,
        wagers=count,
        from_meter={level: each * count for level, each in plan.to_meter.items()},
        from_reserve={level: each * count for level, each in plan.to_reserve.items()},
        from_house=plan.to_house * count,
        by=by,
    )
