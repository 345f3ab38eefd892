"""Crazy 4: counts against the reference, totals, published values, and the price of every choice."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from feltwork.odds.four_card.class_pays import pays_by_class
from feltwork.odds.four_card.classes import (
    FULL_DECK,
    KING_HIGH,
    canonical_hand,
    class_atoms,
    hand_of,
    pay_classes,
)
from feltwork.odds.kernels.four_card import WORD, best_four
from feltwork.odds.pricing import price
from feltwork.odds.sheet import sheet
from feltwork.odds.simulate import simulate
from feltwork.odds.title_odds import Advice
from feltwork.odds.titles.crazy_4 import solve, strategy
from feltwork.odds.titles.crazy_4.counts import (
    BAD_BEAT_CATEGORIES,
    LOSS,
    TIE,
    UNQUALIFIED_LOSS,
    UNQUALIFIED_WIN,
    WIN,
    Crazy4Counts,
    cached_counts,
    count,
)
from feltwork.odds.titles.crazy_4.with_base import bad_beat_with_base, queens_up_with_base
from feltwork.odds.what_if.question import usual
from feltwork.odds.what_if.what_if import what_if
from feltwork.titles import registry
from feltwork.titles.hands.four_card import FourCardCategory
from feltwork.titles.paytables.paytable import Odds
from tests.odds.four_card_reference import crazy_4_showdowns, deck_of, unpack

SUPER_BONUS = pays_by_class(registry.paytable("crazy_4", "super_bonus", "C4P-09"))


@pytest.fixture(scope="module")
def counts() -> Crazy4Counts:
    return count()


@pytest.fixture(scope="module")
def bases(counts: Crazy4Counts) -> solve.Bases:
    return solve.prepare(counts)


@pytest.fixture(scope="module")
def solution(bases: solve.Bases) -> solve.CrazyFourSolution:
    return solve.solve(bases, SUPER_BONUS)


def direct_count(cards: tuple[int, ...], deck: tuple[int, ...]) -> list[int]:
    """The dealer's hands by ranks, without a sweep."""
    value = best_four(sum(int(WORD[card]) for card in cards))
    return strategy.by_outcome(value, (), sorted(set(deck) - set(cards)))


def assert_column(counts: Crazy4Counts, column: int, deck: tuple[int, ...]) -> None:
    cards = unpack(int(counts.hands[column]))
    outcomes, beaten = crazy_4_showdowns(cards, deck)
    assert counts.outcomes[:, column].tolist() == outcomes == direct_count(cards, deck)
    assert counts.dealer_beaten[:, column].tolist() == [beaten[category] for category in BAD_BEAT_CATEGORIES]


@pytest.mark.parametrize("ranks", ["234A", "JQKA"])
def test_every_hand_of_a_small_deck(ranks: str) -> None:
    deck = deck_of(ranks)
    counts = count(deck)
    assert counts.dealer_hands == comb(11, 5)
    assert counts.multiplicity.sum(dtype=np.int64) == comb(16, 5)
    assert {canonical_hand(hand) for hand in combinations(deck, 5)} == set(counts.hands.tolist())
    for column in range(len(counts.hands)):
        assert_column(counts, column, deck)


@pytest.mark.whole
def test_hands_of_a_deck_where_the_dealer_may_fail_to_qualify() -> None:
    deck = deck_of("24679QK")
    counts = count(deck)
    assert counts.outcomes[UNQUALIFIED_LOSS].max() > 0
    low = np.flatnonzero(counts.values < KING_HIGH)
    for column in [*low[::9].tolist(), *range(0, len(counts.hands), 250)]:
        assert_column(counts, column, deck)


def test_hands_of_the_full_deck_against_a_direct_count(counts: Crazy4Counts) -> None:
    for column in random.Random(4).sample(range(len(counts.hands)), 25):
        cards = unpack(int(counts.hands[column]))
        assert counts.outcomes[:, column].tolist() == direct_count(cards, FULL_DECK)


def test_all_deals_are_counted_once_and_both_sides_alike(counts: Crazy4Counts) -> None:
    totals = (counts.outcomes * counts.multiplicity.astype(np.int64)).sum(axis=1)
    assert int(totals.sum()) == comb(52, 5) * comb(47, 5) == 3_986_646_103_440
    assert totals[UNQUALIFIED_WIN] + totals[WIN] == totals[UNQUALIFIED_LOSS] + totals[LOSS]


def test_counts_survive_a_cache(counts: Crazy4Counts) -> None:
    again = Crazy4Counts.from_arrays(counts.arrays())
    assert again.dealer_hands == counts.dealer_hands
    assert np.array_equal(again.outcomes, counts.outcomes)


@pytest.mark.letter(
    "odds.titles.crazy_4.solve.settle", "C4.overview.versus-dealer", "C4.overview.super-bonus"
)
@pytest.mark.parametrize(
    ("stake", "outcome", "bonus", "net"),
    [
        (solve.FOLD, LOSS, 0, -2),
        (1, UNQUALIFIED_WIN, 0, 1),
        (1, UNQUALIFIED_LOSS, 0, 0),
        (1, WIN, 0, 2),
        (3, WIN, 200, 204),
        (1, LOSS, 0, -3),
        (1, LOSS, 1, -1),
        (3, TIE, 0, 0),
    ],
)
def test_the_net_result_in_antes_is_that_of_the_letter(
    stake: int, outcome: int, bonus: int, net: int
) -> None:
    settled = solve.settle(
        stake=stake,
        outcome=outcome,
        super_bonus_pay=Fraction(bonus) if bonus else None,
        unqualified="compare",
    )
    assert settled == net


def test_published_values(solution: solve.CrazyFourSolution) -> None:
    assert solution.house_edge == Fraction(264_142_729, 7_726_058_340)
    assert round(float(100 * solution.house_edge), 2) == 3.42
    assert round(float(100 * solution.element_of_risk), 2) == 1.09
    assert sum(solution.distribution.values()) == solution.deals == 3_986_646_103_440


def test_an_unqualified_dealer_never_meets_the_super_bonus(
    bases: solve.Bases, solution: solve.CrazyFourSolution
) -> None:
    pushed = solve.solve(bases, SUPER_BONUS, unqualified="push")
    assert pushed.house_edge == solution.house_edge
    assert np.array_equal(pushed.stakes, solution.stakes)


def test_pays_too_fine_for_64_bits_are_refused(bases: solve.Bases) -> None:
    with pytest.raises(ValueError, match="too fine"):
        solve.solve(bases, (Fraction(1, 10**15 + 37),) * 21)


def advised(counts: Crazy4Counts, column: int) -> Advice:
    hand, (pay_class,) = hand_of(int(counts.values[column])), pay_classes(counts.values[column : column + 1])
    return strategy.value_choices(hand, counts.outcomes[:, column].tolist(), SUPER_BONUS[pay_class])


def test_outcomes_are_read_without_numpy(counts: Crazy4Counts) -> None:
    for column in range(0, len(counts.hands), 9_973):
        cards = unpack(int(counts.hands[column]))
        renamed = [card & ~3 | (card + 1) & 3 for card in cards]
        assert strategy.against_all(renamed) == counts.outcomes[:, column].tolist()


def test_each_decision_is_the_best_of_its_choices(
    counts: Crazy4Counts, solution: solve.CrazyFourSolution
) -> None:
    for column in [*range(0, len(counts.hands), 997), *np.flatnonzero(counts.values == 0xDC84).tolist()]:
        advice = advised(counts, column)
        assert advice.best == strategy.CHOICES[solution.stakes[column]]
        assert advice.worth[advice.best] == max(advice.worth.values())


def test_house_edge_is_the_mean_of_the_choices_on_a_small_deck() -> None:
    small = count(deck_of("9TJQ"))
    solved = solve.solve(solve.prepare(small), SUPER_BONUS)
    total = Fraction(0)
    for column, times in enumerate(small.multiplicity.tolist()):
        advice = advised(small, column)
        total += times * advice.worth[advice.best]
    assert -total / comb(16, 5) == solved.house_edge


def test_strategy_has_a_narrow_margin(
    counts: Crazy4Counts, bases: solve.Bases, solution: solve.CrazyFourSolution
) -> None:
    border = strategy.margin(counts, bases, solution)
    assert str(hand_of(border.lowest_played)) == "high card K-Q-7-6"
    assert str(hand_of(border.highest_folded)) == "high card K-Q-8-4"
    assert str(hand_of(border.threshold)) == "high card K-Q-8-4"
    assert border.threshold_cost == Fraction(2077, 2_323_220_340)
    assert "Play 1x with high card K-Q-8-4 or better" in strategy.in_words(border)[1]


def test_bad_beat(counts: Crazy4Counts, solution: solve.CrazyFourSolution) -> None:
    rows = solve.bad_beat_rows(counts, solution.stakes)
    bet = sheet(registry.paytable("crazy_4", "bad_beat", "BBB-01")).price
    assert sum(rows.values()) == solution.deals - bet.deals[None]
    assert bet.house_edge == Fraction(89_178_839_033, 498_330_762_930)
    assert bet.hit_frequency == Fraction(1_335_422_273, 55_370_084_770)
    assert rows[FourCardCategory.FOUR_OF_A_KIND] == 295_152


def test_queens_up_and_the_progressive(counts: Crazy4Counts) -> None:
    atoms = class_atoms(counts.values, counts.multiplicity)
    bet = price(registry.paytable("crazy_4", "queens_up", "C4P-09"), atoms)
    assert bet.total == comb(52, 5)
    assert (bet.house_edge, bet.hit_frequency) == (Fraction(9943, 324_870), Fraction(53_687, 216_580))
    jackpot = price(registry.paytable("four_card", "jackpot", "1"), atoms)
    assert jackpot.top_odds == 54_145
    returned = (
        jackpot.fixed_return
        + 3 * jackpot.envy_per_bettor
        + jackpot.break_even_meter(other_bettors=3) / jackpot.top_odds
    )
    assert returned == 1


@pytest.mark.parametrize("identifier", ["C4P-09", "C4P-12"])
def test_queens_up_moves_with_the_base_game_hand_by_hand(
    bases: solve.Bases, solution: solve.CrazyFourSolution, identifier: str
) -> None:
    """The same from the mean of the base game for each hand, without the totals per pay class."""
    paytable = registry.paytable("crazy_4", "queens_up", identifier)
    halves = [(pay or 0) * 2 for pay in SUPER_BONUS]
    assert all(half == int(half) for half in halves)
    bonus = np.array(halves, dtype=np.int64)[bases.classes]
    paid = np.array([pay is not None for pay in SUPER_BONUS])[bases.classes]
    played = 2 * (solution.stakes * bases.play_net + bases.ante_net)
    played += np.where(paid, bonus * bases.dealer_hands, -2 * bases.losses)
    base = np.where(solution.stakes == solve.FOLD, -4 * bases.dealer_hands, played).astype(object)
    side = np.array([-1 if pay is None else int(pay) for pay in pays_by_class(paytable)], dtype=object)
    hands, times = side[bases.classes], bases.multiplicity.astype(object)
    mean = Fraction(int((hands * times).sum()), int(times.sum()))
    expected = Fraction(int((base * hands * times).sum()), 2 * solution.deals) + solution.house_edge * mean
    counted = queens_up_with_base(paytable)
    assert counted.covariance == expected > 0
    assert counted.base_variance == solution.variance


def test_the_covariance_with_a_side_bet_is_that_of_simulated_rounds() -> None:
    covariances = simulate(registry.game("crazy_4"), rounds=400_000, seed=5, strategy="exact").with_base
    for bet, identifier in (("queens_up", "C4P-09"), ("bad_beat", "BBB-01")):
        answer = what_if(usual(registry.paytable("crazy_4", bet, identifier)))
        counted = {name: float(figure.value) for name, figure in answer.bet.items()}
        dealt = covariances[bet].as_json()
        assert abs(dealt["covariance"] - counted["base_covariance"]) < 4 * dealt["standard_error"]
        assert dealt["correlation"] == pytest.approx(counted["base_correlation"], abs=0.03)
        if bet == "queens_up":  # most of the variance of a Bad Beat is in hands too rare for so few rounds
            assert dealt["variance_together"] == pytest.approx(counted["variance_with_base"], rel=0.05)


def test_the_bad_beat_moves_with_the_hands_that_are_beaten() -> None:
    """A table that pays every category one unit: the mean net of the showdowns in which one is beaten."""
    paytable = registry.paytable("crazy_4", "bad_beat", "BBB-01")
    one_each = replace(paytable, rows=tuple(replace(row, pays=Odds(1, 1, False)) for row in paytable.rows))
    play, counts = solve.solution(), cached_counts()
    bonus = np.array([float("nan") if pay is None else float(pay) for pay in SUPER_BONUS])
    extra = bonus[pay_classes(counts.values)]
    assert (play.stakes[counts.dealer_beaten.sum(axis=0) > 0] == 3).all()
    ways = counts.multiplicity.astype(np.int64)
    won = int((counts.dealer_beaten.sum(axis=0) * ways).sum())
    high = counts.values >> 16 >= FourCardCategory.TWO_PAIR
    lost = int((counts.outcomes[LOSS] * ways * high).sum())
    # The Super Bonus pays on both; where no row does, a lost showdown takes it.
    beaten = counts.dealer_beaten.sum(axis=0) * ways
    nets = 4 * won - 4 * lost + float((beaten * np.nan_to_num(extra, nan=0.0)).sum())
    nets += float((counts.outcomes[LOSS] * ways * high * np.nan_to_num(extra, nan=-1.0)).sum())
    expected = nets / play.deals + float(play.house_edge) * (won + lost) / play.deals
    assert float(bad_beat_with_base(one_each).covariance) == pytest.approx(expected, rel=1e-12)
