"""Sensitivity of each pay and the bands of the hold: by hand, and by solving a game twice."""

import math
from fractions import Fraction

import numpy as np
import pytest

from feltwork.odds.pricing import returned
from feltwork.odds.sheet import sheet
from feltwork.odds.title_odds import odds_of
from feltwork.odds.what_if.draft import edited
from feltwork.odds.what_if.question import usual
from feltwork.odds.what_if.sensitivity import hold_bands, sensitivity
from feltwork.odds.what_if.what_if import what_if
from feltwork.titles import registry
from feltwork.titles.paytables.paytable import Odds


def test_a_unit_on_queens_up_costs_how_often_its_row_comes() -> None:
    costs = sensitivity(usual(registry.paytable("crazy_4", "queens_up", "C4P-09")))
    counts = (624, 2_072, 58_656, 114_616, 101_808, 123_552, 242_916)
    assert list(costs.values()) == [Fraction(count, 2_598_960) for count in counts]


def test_a_meter_row_has_no_pay_to_raise() -> None:
    costs = sensitivity(usual(registry.paytable("four_card", "jackpot", "3")))
    assert costs == {
        "four_of_a_kind": Fraction(576, 2_598_960),
        "straight_flush": Fraction(2_072, 2_598_960),
        "three_of_a_kind": Fraction(58_656, 2_598_960),
    }


def test_a_bonus_is_solved_again_with_the_higher_pay() -> None:
    """Against the base game as `odds` solves it, with the pay written into the paytable."""
    paytable = registry.paytable("crazy_4", "super_bonus", "C4P-09")
    costs = sensitivity(usual(paytable))
    solve = odds_of("crazy_4").bets["super_bonus"].solve
    assert solve is not None
    before = solve(paytable, super_bonus_unqualified="compare").figures["house edge"]
    row = next(row for row in paytable.rows if row.hand == "straight")
    assert isinstance(row.pays, Odds)
    raised = edited(paytable, {"straight": f"{row.pays.wins + 1} to 1"})
    after = solve(raised, super_bonus_unqualified="compare").figures["house edge"]
    assert costs["straight"] == before - after > 0


def test_three_to_two_is_raised_by_one_unit_not_by_half() -> None:
    paytable = registry.paytable("crazy_4", "super_bonus", "C4P-09")
    costs = sensitivity(usual(paytable))
    # Flushes pay 3 to 2 there, come 114,616 times in 2,598,960, and are always played.
    assert costs["flush"] == Fraction(114_616, 2_598_960)


def test_bands_of_a_long_run_are_nearly_normal() -> None:
    answer = what_if(usual(registry.paytable("crazy_4", "queens_up", "C4P-09")))
    edge, deviation = 0.030606, 2.288839
    for band in hold_bands(answer)[3:]:
        within = 1.645 * deviation / math.sqrt(band.rounds)
        assert float(band.low) == pytest.approx(edge - within, abs=2e-5)
        assert float(band.high) == pytest.approx(edge + within, abs=2e-5)


def test_a_band_is_that_of_the_law_convolved_with_itself() -> None:
    """A thousand wagers on Bad Beat, added one by one."""
    price = sheet(registry.paytable("crazy_4", "bad_beat", "BBB-01")).price
    pays = {0: price.probability(None)}
    for place, row in enumerate(price.paytable.rows):
        pays[int(returned(row))] = price.probability(place)
    law = np.zeros(20_000)
    law[0] = 1.0
    for _ in range(1_000):
        law = sum(
            (
                float(chance) * np.concatenate((np.zeros(pay), law[: len(law) - pay]))
                for pay, chance in pays.items()
                if pay < len(law)
            ),
            np.zeros(len(law)),
        )
    below = np.cumsum(law)
    low, high = (int(np.searchsorted(below, chance)) for chance in (0.05, 0.95))
    band = hold_bands(what_if(usual(price.paytable)))[0]
    assert (float(band.low), float(band.high)) == pytest.approx((1 - high / 1_000, 1 - low / 1_000))


def test_a_band_holds_the_law_of_the_meter() -> None:
    """Ten thousand wagers, of which one in 54,145 takes a meter: the hold is far from normal."""
    dice, sums, rounds = np.random.default_rng(5), 200_000, 10_000
    rows = {300: 0.0002216271123834149, 100: 0.0007972419737125619, 15: 0.02256902761104442}
    back = sum(
        (dice.binomial(rounds, chance, sums) * float(pay) for pay, chance in rows.items()), np.zeros(sums)
    )
    hits = dice.binomial(rounds, 1 / 54_145, sums)
    for number in range(1, int(hits.max()) + 1):
        taking = hits >= number
        waits = dice.geometric(1 / 54_145, (2, int(taking.sum())))
        back[taking] += 2_000 + 0.24 * waits[0] + 0.05 * waits[1]
    low, high = 1 - np.quantile(back / rounds, (0.95, 0.05))
    band = hold_bands(what_if(usual(registry.paytable("four_card", "jackpot", "3"))))[1]
    assert float(band.low) == pytest.approx(low, abs=0.06)
    assert float(band.high) == pytest.approx(high, abs=0.002)
    assert band.how == "numeric"
    assert band.error < 0.001


def test_a_band_from_a_sampled_meter_says_so() -> None:
    bands = hold_bands(what_if(usual(registry.paytable("five_card", "jackpot", "01"))))
    assert [band.how for band in bands] == ["numeric", *["sampled"] * 4]
    assert all(band.error > 0 for band in bands[1:])


def test_no_bands_where_the_variance_is_unknown() -> None:
    assert hold_bands(what_if(usual(registry.paytable("dragon", "jackpot", "2")))) == []
