"""Contributions of batches of rounds, and their return after a misdeal or a seat correction.

Wagers are counted and multiplied, never processed one by one.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from feltwork import money
from feltwork.money import Micros
from feltwork.problem import Problem, ProblemsError, Sentence, listed
from feltwork.site.progressive.facts import (
    Contributed,
    Instant,
    Misdealt,
    PaidFromTray,
    WagerAdded,
    WagerReturned,
)
from feltwork.site.progressive.link import Link
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.round_facts import RoundEnded, RoundStarted
from feltwork.site.progressive.state import SETTLED, LinkState

_MANY = 1_000  # limit of wagers in one round if no level grows with them


@dataclass(frozen=True, slots=True)
class ContributionPlan:
    """The contribution of one wager to each level; exact, because wagers are whole cents [WA-05]."""

    to_meter: Mapping[str, Micros]
    to_reserve: Mapping[str, Micros]
    to_house: Micros
    #: The most wagers accepted in a single round [GEN-01].
    most_wagers: int


@dataclass(frozen=True, slots=True)
class RefusedRound:
    """A round that was not folded, and why: it is parked and alarmed, never dropped."""

    started: RoundStarted
    problem: Problem


@dataclass(frozen=True, slots=True)
class Batch:
    """The result of folding a batch of rounds; no fact where every round was refused."""

    fact: Contributed | None
    refused: tuple[RefusedRound, ...]


@dataclass(frozen=True, slots=True)
class PoolShares:
    """The shares of wagers in each pool, which sum to the wagers [WA-05]."""

    to_meter: Mapping[str, Micros]
    to_reserve: Mapping[str, Micros]
    overflow: Mapping[str, Micros]
    to_house: Micros


@dataclass(frozen=True, slots=True)
class PoolReturns:
    """The amounts of returned wagers by source, which sum to the wagers."""

    from_meter: Mapping[str, Micros]
    from_reserve: Mapping[str, Micros]
    from_house: Micros


def plan_of(link: Link) -> ContributionPlan:
    """The contribution plan of a link."""
    to_meter = {level.name: money.part(link.wager, level.contribution) for level in link.levels}
    to_reserve = {level.name: money.part(link.wager, level.reserve) for level in link.levels}
    bounds = [level.unreasonable // to_meter[level.name] for level in link.levels if to_meter[level.name] > 0]
    to_house = link.wager - sum(to_meter.values()) - sum(to_reserve.values())
    return ContributionPlan(to_meter, to_reserve, to_house, min(bounds, default=_MANY))


def fold_rounds(state: LinkState, rounds: Sequence[RoundStarted], *, at: Instant) -> Batch:
    """Fold a batch of rounds into one contribution; each round is fully included or refused [WA-05]."""
    plan = plan_of(state.link)
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    wagers: defaultdict[str, int] = defaultdict(int)
    rounds_by_key: dict[tuple[str, int], RoundStarted] = {}
    refused = []
    stopped_at = min(state.stops.values(), default=None)
    link, wager, most_wagers, closed = state.link.id, state.link.wager, plan.most_wagers, state.life != "open"
    for started in rounds:
        count = len(started.seats)
        key = (started.table, started.round)
        if (
            started.link != link
            or started.wager != wager
            or count > most_wagers
            or closed
            or (stopped_at is not None and started.at >= stopped_at)
            or key in rounds_by_key
        ):
            refused.append(RefusedRound(started, _why_refused(state, plan, started)))
            continue
        rounds_by_key[key] = started
        numbers[started.table].append(started.round)
        if count:
            wagers[started.table] += count
    fact = _contributed(state, numbers, wagers, rounds_digest(rounds_by_key), at) if numbers else None
    return Batch(fact, tuple(refused))


def fold_ends(link: str, ended: Iterable[RoundEnded], *, at: Instant) -> PaidFromTray:
    """Fold a batch of ended rounds into one tray payment."""
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    fixed: defaultdict[str, Micros] = defaultdict(int)
    envy: defaultdict[str, Micros] = defaultdict(int)
    ends = {(end.table, end.round): end for end in ended}
    for end in ends.values():
        numbers[end.table].append(end.round)
        fixed[end.table] += end.fixed
        envy[end.table] += end.envy
    return PaidFromTray(
        link=link,
        at=at,
        rounds=_texts(numbers),
        fixed=dict(fixed),
        envy=dict(envy),
        digest=ends_digest(ends),
    )


def rounds_digest(rounds: Mapping[tuple[str, int], RoundStarted]) -> str:
    """SHA-256 over one line per round, sorted by table and number: table, number, time and seats."""
    lines = [
        f"{table} {number} {(start := rounds[table, number]).at} {_seats(start.seats)}"
        for table, number in sorted(rounds)
    ]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def ends_digest(ends: Mapping[tuple[str, int], RoundEnded]) -> str:
    """SHA-256 over one line per end, sorted by table and number: table, number, time, fixed pays and envy."""
    lines = [
        f"{table} {number} {(end := ends[table, number]).at} {end.fixed} {end.envy}"
        for table, number in sorted(ends)
    ]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@lru_cache(maxsize=4_096)
def _seats(seats: tuple[int, ...]) -> str:
    return ",".join(map(str, seats))


def verify_misdeal(state: LinkState, started: RoundStarted) -> None:
    """Raise if a round can no longer be voided."""
    where = f"{state.link.id}, table {started.table}, round {started.round}"
    if (started.table, started.round) in state.misdealt:
        raise refuse(
            where,
            "the contributions of this round are already reversed",
            "a round can be voided only once",
            "WA-05",
        )
    for award in state.awards.values():
        if (award.table, award.round) != (started.table, started.round):
            continue
        if award.status == "claimed":
            raise refuse(
                where,
                Sentence("claim %(claim)s is open", claim=award.id),
                "clear the hand button first",
                "LT-02",
            )
        if award.status in SETTLED:
            remedy = "reverse it by an adjustment first"
            raise refuse(where, Sentence("award %(award)s is confirmed", award=award.id), remedy, "LT-04")


def misdeal(state: LinkState, started: RoundStarted, *, booked_in: int, at: Instant, by: str) -> Misdealt:
    """Return the wagers of a void round in one entry, which names the entry it reverses.

    Cap overflow comes back from the reserve. If an award emptied the meter, the operator pays the rest.
    """
    verify_misdeal(state, started)
    count = len(started.seats)
    back = given_back(state, count)
    return Misdealt(
        link=state.link.id,
        at=at,
        table=started.table,
        round=started.round,
        wagers=count,
        reverses=booked_in,
        from_meter=back.from_meter,
        from_reserve=back.from_reserve,
        from_house=back.from_house,
        by=by,
    )


def verify_correction(state: LinkState, started: RoundStarted) -> None:
    """Raise if a round cannot be corrected because it is void or one of its hands was claimed."""
    verify_misdeal(state, started)
    if any((award.table, award.round) == (started.table, started.round) for award in state.awards.values()):
        where = f"{state.link.id}, table {started.table}, round {started.round}"
        raise refuse(where, "a hand of this round was claimed", "call a misdeal", "LT-01")


def add_wager(
    state: LinkState, started: RoundStarted, *, seat: int, at: Instant, by: str, approved_by: str = ""
) -> WagerAdded:
    """Book the wager of a seat that START GAME missed, as if it had been locked with the others."""
    verify_correction(state, started)
    for refused in fold_rounds(state, [replace(started, seats=(*started.seats, seat))], at=at).refused:
        raise ProblemsError([refused.problem])
    parts = taken_in(state, 1)
    return WagerAdded(
        link=state.link.id,
        at=at,
        table=started.table,
        round=started.round,
        seat=seat,
        version=state.link.fingerprint,
        wager=state.link.wager,
        to_meter=parts.to_meter,
        to_reserve=parts.to_reserve,
        overflow=parts.overflow,
        to_house=parts.to_house,
        by=by,
        approved_by=approved_by,
    )


def return_wager(
    state: LinkState, started: RoundStarted, *, seat: int, at: Instant, by: str
) -> WagerReturned:
    """Return the wager of one seat, as a misdeal does for a whole round."""
    verify_correction(state, started)
    back = given_back(state, 1)
    return WagerReturned(
        link=state.link.id,
        at=at,
        table=started.table,
        round=started.round,
        seat=seat,
        version=state.link.fingerprint,
        wager=state.link.wager,
        from_meter=back.from_meter,
        from_reserve=back.from_reserve,
        from_house=back.from_house,
        by=by,
    )


def taken_in(state: LinkState, count: int) -> PoolShares:
    """Return the shares of the wagers in each pool; a cap diverts the excess to the reserve [WA-09]."""
    plan = plan_of(state.link)
    to_meter, overflow = {}, {}
    for level, each in plan.to_meter.items():
        room = state.room(level)
        to_meter[level] = each * count if room is None else min(each * count, room)
        overflow[level] = each * count - to_meter[level]
    return PoolShares(
        to_meter=to_meter,
        to_reserve={level: each * count for level, each in plan.to_reserve.items()},
        overflow={level: amount for level, amount in overflow.items() if amount},
        to_house=plan.to_house * count,
    )


def given_back(state: LinkState, count: int) -> PoolReturns:
    """The sources of returned wagers: the pools they fed, and the operator for the rest."""
    plan = plan_of(state.link)
    from_meter, from_reserve = {}, {}
    for level in state.link.level_names:
        reserved, accrued = plan.to_reserve[level] * count, plan.to_meter[level] * count
        overflowed = min(accrued, state.overflow.get(level, 0))
        first = min(state.reserve(level), reserved + overflowed)
        from_meter[level] = min(state.meter(level), reserved + accrued - first)
        rest = reserved + accrued - first - from_meter[level]
        from_reserve[level] = first + min(state.reserve(level) - first, rest)
    taken_back = sum(from_meter.values()) + sum(from_reserve.values())
    return PoolReturns(from_meter, from_reserve, count * state.link.wager - taken_back)


def ranges(numbers: Iterable[int]) -> str:
    """Write whole numbers as text, with consecutive numbers joined: ``101-151,153``."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(f"{first}-{last}" if last > first else str(first) for first, last in runs)


def _contributed(
    state: LinkState,
    numbers: Mapping[str, list[int]],
    wagers: Mapping[str, int],
    digest: str,
    at: Instant,
) -> Contributed:
    parts = taken_in(state, sum(wagers.values()))
    return Contributed(
        link=state.link.id,
        at=at,
        paytable=state.link.paytable.fingerprint,
        version=state.link.fingerprint,
        wager=state.link.wager,
        rounds=_texts(numbers),
        wagers=dict(wagers),
        digest=digest,
        to_meter=parts.to_meter,
        to_reserve=parts.to_reserve,
        overflow=parts.overflow,
        to_house=parts.to_house,
    )


def _texts(numbers: Mapping[str, list[int]]) -> dict[str, str]:
    """Write the rounds of each table as text; most tables have one round in a batch."""
    return {
        table: ranges(numbers[table]) if len(numbers[table]) > 1 else str(numbers[table][0])
        for table in sorted(numbers)
    }


def _why_refused(state: LinkState, plan: ContributionPlan, started: RoundStarted) -> Problem:
    where = f"{started.link}, table {started.table}, round {started.round}"
    if started.link != state.link.id:
        return Problem(
            where,
            Sentence("the round does not belong to %(link)s", link=state.link.id),
            "send it to the right link",
            "GEN-07",
        )
    if started.wager != state.link.wager:
        what = Sentence(
            "its wager is %(amount)s, the link's is %(own)s",
            amount=money.text(started.wager),
            own=money.text(state.link.wager),
        )
        return Problem(where, what, "correct the table's configuration", "LT-13")
    if len(started.seats) > plan.most_wagers:
        what = Sentence(
            "%(count)s wagers in one round are an unreasonable contribution", count=len(started.seats)
        )
        return Problem(where, what, "check the table's sensors; book the round by hand", "GEN-01")
    if state.life != "open":
        return Problem(
            where,
            Sentence("the link is %(life)s", life=Sentence(state.life)),
            "open the link before START GAME",
            "GEN-03",
        )
    if state.stops and started.at >= min(state.stops.values()):
        what = Sentence("it started after the link was stopped (%(causes)s)", causes=listed(state.stops))
        return Problem(where, what, "return the wagers; resume the link before START GAME", "WA-20")
    return Problem(
        where, "the round appears twice in the batch", "no action needed: it is booked once", "WA-05"
    )
