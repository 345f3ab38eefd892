"""Sensitivity of each pay and the bands of the hold: by hand, and by solving a game twice."""

import math
from fractions import Fraction

import pytest

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


def test_bands_of_the_hold_by_hand() -> None:
    answer = what_if(usual(registry.paytable("crazy_4", "queens_up", "C4P-09")))
    edge, deviation = 0.030606, 2.288839
    for band in hold_bands(answer):
        within = 1.645 * deviation / math.sqrt(band.rounds)
        assert float(band.low) == pytest.approx(edge - within, abs=1e-5)
        assert float(band.high) == pytest.approx(edge + within, abs=1e-5)


def test_no_bands_where_the_variance_is_unknown() -> None:
    assert hold_bands(what_if(usual(registry.paytable("dragon", "jackpot", "2")))) == []
