"""A long run of a link, booked fact by fact, comes to what the maths of the meter says of it."""

import random
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, log, sqrt

import pytest

from feltwork.money import DOLLAR
from feltwork.odds.meters.distribution import MeterLaw
from feltwork.odds.returns import Terms
from feltwork.odds.what_if.answer import WhatIfAnswer
from feltwork.odds.what_if.question import Question, usual
from feltwork.odds.what_if.what_if import meter_laws, what_if
from feltwork.site.progressive.link import Level, Link
from feltwork.site.progressive.round_facts import RoundStarted
from tests.progressive.room import Room, level, link_of

#: Traced, a long run takes minutes, and the other tests reach the same lines.
pytestmark = [pytest.mark.no_cover, pytest.mark.whole]

#: How far a mean of a seeded run may lie from the exact one, in standard errors.
WIDTH = 3.5


@dataclass
class Run:
    """What a run saw: at each share the meter and the reserve, and how many wagers it had waited for."""

    meters: list[float] = field(default_factory=list)
    reserves: list[float] = field(default_factory=list)
    waits: list[int] = field(default_factory=list)


def wide(level: Level) -> Level:
    """A level that takes any number of wagers in one message."""
    return replace(level, unreasonable=10**9 * DOLLAR)


def asked(link: Link, **options: str) -> Question:
    terms = {
        level.name: Terms(
            seed=Fraction(level.seed, DOLLAR),
            contribution=Fraction(level.contribution, 10_000),
            reserve=Fraction(level.reserve, 10_000),
            cap=None if level.cap < 0 else Fraction(level.cap, DOLLAR),
        )
        for level in link.levels
    }
    start = usual(link.paytable)
    return replace(start, terms=terms, options={**start.options, **options}, sampled=True)


def play(link: Link, hands: dict[str, Fraction], *, shares: int, seed: int) -> Run:
    """Wagers that win nothing are booked in one batch; every share is claimed, confirmed and paid."""
    draw, room, run = random.Random(seed), Room(link).open(), Run()
    any_share = float(sum(hands.values()))
    weights = [float(chance) for chance in hands.values()]
    for number in range(1, shares + 1):
        wait = ceil(log(1 - draw.random()) / log(1 - any_share))
        if wait > 1:
            quiet = RoundStarted(
                link=link.id,
                at=room.later(),
                table="T2",
                round=number,
                wager=link.wager,
                seats=tuple(range(wait - 1)),
            )
            assert room.contribute([quiet]) == ()
        room.start("T1", (1,))
        (level,) = link.levels
        run.waits.append(wait)
        run.reserves.append(room.state.reserve(level.name) / DOLLAR)
        run.meters.append(room.state.meter(level.name) / DOLLAR)
        room.hit("T1", 1, draw.choices(list(hands), weights)[0])
        room.end("T1")
    room.check()
    return run


def mean_of(values: list[float], *, batches: int = 20) -> tuple[float, float]:
    """The mean, and its standard error from batches, since one jackpot depends on the one before."""
    size = len(values) // batches
    means = [sum(values[at * size : (at + 1) * size]) / size for at in range(batches)]
    mean = sum(means) / batches
    return mean, sqrt(sum((batch_mean - mean) ** 2 for batch_mean in means) / (batches - 1) / batches)


def agrees(values: list[float], exact: float) -> None:
    mean, error = mean_of(values)
    assert abs(mean - exact) < WIDTH * error, (mean, exact, error)
    assert error < 0.1 * abs(exact)


def figures(answer: WhatIfAnswer) -> dict[str, float]:
    return {name: float(figure.value) for name, figure in answer.meters["jackpot"].items()}


def test_four_aces_with_a_reserve() -> None:
    """Mean jackpot, time to hit, seed shortfall and every quantile, over 800 jackpots."""
    link = link_of("four_card", "3", [wide(level(seed=2_000, contribution=2_400, reserve=500))])
    expected = figures(what_if(asked(link)))
    run = play(link, {"four_aces": Fraction(1, 54_145)}, shares=800, seed=20_240_615)
    agrees(run.meters, expected["mean_jackpot"])
    agrees([float(wait) for wait in run.waits], expected["wagers_to_hit"])
    agrees([float(reserve < 2_000) for reserve in run.reserves], expected["shortfall_risk"])
    agrees([max(2_000 - reserve, 0.0) for reserve in run.reserves], expected["mean_shortfall"])
    for chance in (25, 50, 75):
        agrees([float(meter <= expected[f"jackpot_{chance}"]) for meter in run.meters], chance / 100)
    within = sum(wait <= 1_000 for wait in run.waits) / len(run.waits)
    assert abs(within - expected["back_to_back"]) < WIDTH * sqrt(expected["back_to_back"] / len(run.waits))


def law_of(question: Question) -> MeterLaw:
    return meter_laws(question)["jackpot"]


def test_smaller_shares_and_a_cap() -> None:
    """Blazing 7's: a tenth for three of a colour. The sampled figures keep their own interval too."""
    capped = wide(level(seed=2_000, contribution=2_400, reserve=0, cap=15_000 * DOLLAR))
    for jackpot_level in (replace(capped, cap=-1), capped):
        link = link_of("blazing_7s", "1", [jackpot_level], variant="dealer_up_card")
        question = asked(link, decks="6")
        answer, law = what_if(question), law_of(question)
        hands = {"three_7s_suited": law.whole, "three_7s_same_color": Fraction(9, 125_333)}
        assert dict(law.shares) == {
            Fraction(1): hands["three_7s_suited"],
            Fraction(1, 10): Fraction(9, 125_333),
        }
        run = play(link, hands, shares=1_200, seed=7)
        mean = answer.meters["jackpot"]["mean_jackpot"]
        mean_meter, error = mean_of(run.meters)
        assert abs(mean_meter - float(mean.value)) < WIDTH * error + float(mean.error)
        median = figures(answer)["jackpot_50"]
        agrees([float(meter <= median) for meter in run.meters], 0.5)
        if jackpot_level.cap < 0:
            square, spread = mean_of([meter**2 for meter in run.meters])
            assert abs(square - float(law.mean_square)) < WIDTH * spread
        else:
            assert max(run.meters) == 15_000
            dry = answer.meters["jackpot"]["shortfall_risk"]
            at_hits, spread = mean_of([float(reserve < 2_000) for reserve in run.reserves])
            assert abs(at_hits - float(dry.value)) < WIDTH * spread + float(dry.error)
