"""6-5-4: tallies against the reference, the full deck against plain sweeps, prices and strategy."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from feltwork.odds.four_card.class_pays import pays_by_class
from feltwork.odds.four_card.classes import FULL_DECK, Int64Array, canonical_hand, rank_of
from feltwork.odds.four_card.hands import RankedHands, player_hands, rank_all
from feltwork.odds.kernels.four_card import WORD, sweep_fives, sweep_fours, values_with
from feltwork.odds.simulate import simulate
from feltwork.odds.titles.six_five_four import solve, strategy
from feltwork.odds.titles.six_five_four.counts import (
    COLUMNS,
    DEALS,
    PLAYED,
    DealerCards,
    SixFiveFourCounts,
    count,
    total_deals,
)
from feltwork.odds.titles.six_five_four.with_base import queens_up_with_base
from feltwork.titles import registry
from tests.odds.four_card_reference import (
    best_of,
    deck_of,
    exposures,
    indices,
    six_five_four_showdowns,
    unpack,
)

ANTE_BONUS = pays_by_class(registry.paytable("six_five_four", "ante_bonus", "1"))


@pytest.fixture(scope="module")
def counts() -> SixFiveFourCounts:
    return count()


def reference_tally(deck: tuple[int, ...]) -> dict[tuple[DealerCards, int], list[int]]:
    """Every player hand (one for all its renamings of suits), every exposure, every hidden hand."""
    tally: dict[tuple[DealerCards, int], list[int]] = {}
    hands = Counter(canonical_hand(hand) for hand in combinations(deck, 5))
    for packed, times in hands.items():
        player = unpack(packed)
        for kept_card, discards in exposures(player, deck):
            lower, equal, higher = six_five_four_showdowns(player, kept_card, discards, deck)
            deals = lower + equal + higher
            each = times * (1 if discards else 5)
            played = 2 * (lower - higher) > -deals
            row = [deals, lower, equal, deals * played, lower * played, equal * played]
            dealer_cards = DealerCards(6 - len(discards), 0 if kept_card is None else rank_of(kept_card))
            total = tally.setdefault((dealer_cards, best_of(player)), [0] * COLUMNS)
            for column in range(COLUMNS):
                total[column] += each * row[column]
    return tally


@pytest.mark.whole
@pytest.mark.parametrize("ranks", ["9TJ", "89A", "24A", "234A", "89TJ"])
def test_whole_tally_of_a_small_deck(ranks: str) -> None:
    deck = deck_of(ranks)
    counts = count(deck)
    expected = reference_tally(deck)
    for i, dealer_cards in enumerate(counts.shown):
        for j, value in enumerate(counts.values.tolist()):
            assert counts.tally[i, j].tolist() == expected.get((dealer_cards, value), [0] * COLUMNS)
    assert int(counts.tally[:, :, DEALS].sum()) == counts.deals == total_deals(len(deck))


def plain_sweep(
    ranked: RankedHands, kept_card: int, discard: int, *, fixed_suits: int, values: list[int]
) -> Int64Array:
    """One set of exposed cards, all player hands, no shortcut over discards."""
    dealer = rank_all(tuple(card for card in FULL_DECK if card != discard), size=4, kept_card=kept_card)
    players = player_hands(ranked, fixed_suits=fixed_suits).without(kept_card).without(discard)
    tally = np.zeros((len(values), COLUMNS), dtype=np.int64)
    margins = np.zeros((52, 52), dtype=np.int32)
    sweep_fours(
        dealer.hands,
        dealer.values,
        players.hands,
        players.values,
        np.searchsorted(values, players.values),
        players.multiplicity,
        np.array([discard], dtype=np.int64),
        0,
        comb(45, 4),
        tally,
        margins,
        margins,
    )
    return tally


@pytest.mark.whole
def test_five_cards_with_a_nine_against_plain_sweeps_of_the_full_deck(counts: SixFiveFourCounts) -> None:
    (kept_card,) = indices("9c")
    ranked, values = rank_all(FULL_DECK, size=5), counts.values.tolist()
    expected = np.zeros((len(values), COLUMNS), dtype=np.int64)
    for rank in "TJQKA":
        suited, other = indices(f"{rank}c {rank}d")
        # Four suits of the nine; the discard is of the same suit or of one of three others.
        expected += 4 * plain_sweep(ranked, kept_card, suited, fixed_suits=1, values=values)
        expected += 12 * plain_sweep(ranked, kept_card, other, fixed_suits=2, values=values)
    assert np.array_equal(counts.tally[counts.shown.index(DealerCards(5, 9))], expected)


@pytest.mark.whole
def test_six_cards_of_the_full_deck_against_a_direct_count() -> None:
    (kept_card,) = indices("7c")
    players = player_hands(rank_all(FULL_DECK, size=5), fixed_suits=1).without(kept_card)
    chosen = np.sort(np.random.default_rng(6).choice(len(players.hands), 20, replace=False))
    hands, values = players.hands[chosen], players.values[chosen]
    own_values = np.empty(20, dtype=np.int32)
    values_with(hands, int(WORD[kept_card]), own_values)
    dealer = rank_all(FULL_DECK, size=5, kept_card=kept_card)
    below, up_to = np.empty(20, dtype=np.int32), np.empty(20, dtype=np.int32)
    none = np.empty(0, dtype=np.int32)
    sweep_fives(
        dealer.hands,
        dealer.values,
        hands,
        values,
        own_values,
        none,
        below,
        up_to,
        np.empty((0, 20), np.int32),
    )
    for i, packed in enumerate(hands.tolist()):
        advice = strategy.advise_hand(unpack(packed), kept_card=kept_card)
        assert advice.worth["play"] == Fraction(
            2 * (int(below[i]) + int(up_to[i]) - comb(46, 5)), comb(46, 5)
        )


def test_all_deals_of_the_full_deck(counts: SixFiveFourCounts) -> None:
    assert int(counts.tally[:, :, DEALS].sum()) == counts.deals == 837_195_681_722_400
    for dealer_cards, tally in zip(counts.shown, counts.tally, strict=True):
        first = {6: 4 * 46, 5: 20 * 4, 4: 20 * 19}[dealer_cards.dealer_cards]
        # By symmetry the dealer's two cards may be dealt before the player's.
        expected = Fraction(first, 52 * 51) if dealer_cards.dealer_cards < 6 else Fraction(4, 52)
        assert Fraction(int(tally[:, DEALS].sum()), counts.deals) == expected
    assert len(counts.margins) == 113


def test_counts_survive_a_cache(counts: SixFiveFourCounts) -> None:
    again = SixFiveFourCounts.from_arrays(counts.arrays())
    assert again.shown == counts.shown
    assert again.deals == counts.deals
    assert np.array_equal(again.tally, counts.tally)


@pytest.mark.parametrize(
    ("player", "kept_card", "discards"),
    [("Kc Qd 8h 4s 2c", "9c", "As"), ("Qc Jd 7h 4s 2c", "", "As Ks"), ("2c 2d 7h Ts Kc", "2h", "Td")],
)
def test_advice_against_the_reference(player: str, kept_card: str, discards: str) -> None:
    hand, exposed = indices(player), indices(discards)
    card = indices(kept_card)[0] if kept_card else None
    lower, equal, higher = six_five_four_showdowns(hand, card, exposed, FULL_DECK)
    assert lower + equal + higher == comb(45, 4)
    advice = strategy.advise_hand(hand, kept_card=card, discards=exposed, ante_bonus=ANTE_BONUS)
    assert advice.worth["play"] == Fraction(2 * (lower - higher), comb(45, 4))
    assert advice.best == ("play" if advice.worth["play"] > -1 else "fold")


@pytest.mark.letter("odds.titles.six_five_four.strategy.verify_exposed", "SF.overview.dealer-hand")
@pytest.mark.parametrize(
    ("kept_card", "discards"), [("Tc", ""), ("9c", "8d"), ("", "Tc"), ("9c", "Tc Jc"), ("", "")]
)
def test_impossible_exposures_are_refused(kept_card: str, discards: str) -> None:
    with pytest.raises(ValueError, match="the dealer"):
        strategy.verify_exposed(indices(kept_card)[0] if kept_card else None, indices(discards))


def test_decisions_agree_with_the_margins(counts: SixFiveFourCounts) -> None:
    """Hands clearly on one side of a margin are decided the same way by a direct count."""
    weak, strong = indices("Jc 9d 7h 5s 2d"), indices("7c 7d Qh Ks Ad")
    for kept_card, first, second, lowest, highest in counts.margins[::9].tolist():
        discards = tuple(card for card in (first, second) if card >= 0)
        for hand in (weak, strong):
            if {kept_card, *discards} & set(hand):
                continue
            advice = strategy.advise_hand(
                hand, kept_card=None if kept_card < 0 else kept_card, discards=discards
            )
            plays = advice.best == "play"
            value = best_of(tuple(sorted(hand)))
            assert plays if value > highest else not plays if value < lowest else True


def test_prices(counts: SixFiveFourCounts) -> None:
    totals = solve.class_totals(counts)
    solution = solve.solve(totals, ANTE_BONUS)
    assert solution.house_edge == Fraction(661_947_225_857, 19_027_174_584_600)
    assert solution.fold_frequency == Fraction(33_911_063, 93_649_192)
    assert solution.element_of_risk == Fraction(661_947_225_857, 31_164_468_944_175)
    assert sum(solution.distribution.values()) == counts.deals


def test_only_hands_below_a_pair_of_fives_are_ever_folded(counts: SixFiveFourCounts) -> None:
    totals = solve.class_totals(counts)
    assert [pay_class for pay_class, row in enumerate(totals) if row[PLAYED] < row[DEALS]] == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="sometimes folded"):
        solve.solve(totals, (Fraction(1),) * 21)
    assert solve.solve(totals, (Fraction(2),) * 21).fold_frequency == 0


def test_thresholds_lose_little(counts: SixFiveFourCounts) -> None:
    rules = solve.best_thresholds(counts, [[dealer_cards] for dealer_cards in counts.shown])
    assert all(rule.cost > 0 for rule in rules)
    assert sum(rule.cost for rule in rules) < Fraction(1, 2000)
    assert "dealer plays 4: play high card Q-T-5-3 or better" in strategy.in_words(counts)


def test_the_covariance_with_queens_up_is_that_of_simulated_rounds() -> None:
    """The rule of thumb costs so little that its rounds move with Queens Up as those of optimal play."""
    counted = queens_up_with_base(registry.paytable("six_five_four", "queens_up", "1"))
    covariances = simulate(registry.game("six_five_four"), rounds=300_000, seed=4, strategy="simple")
    dealt = covariances.with_base["queens_up"].as_json()
    assert abs(dealt["covariance"] - float(counted.covariance)) < 4 * dealt["standard_error"]
    assert counted.base_variance == solve.solution().variance
