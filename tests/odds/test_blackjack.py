"""Blackjack: exact values against playing everything out, compiled against exact, and the certificate."""

import time
from fractions import Fraction
from math import isclose
from pathlib import Path

import pytest

from feltwork.odds.strategy import advise
from feltwork.odds.titles.blackjack import parlay, tables
from feltwork.odds.titles.blackjack.exact import ExactBlackjack
from feltwork.odds.titles.blackjack.rules import (
    Rules,
    Soft17,
    Values,
    add,
    split_terms,
    values_of,
    without,
)
from feltwork.titles import registry
from feltwork.titles.cards.card import parse_cards
from feltwork.titles.title import Decision
from tests.odds import reference
from tests.odds.blackjack_reference import (
    compiled_hand_values,
    deal_ways,
    exact_shoe_value,
    game_value,
    shoe_value,
)

# Few values and many high cards: every order can be played out, and the shoe never runs dry.
SMALL: Values = (2, 0, 0, 0, 0, 2, 0, 6, 0, 6)
ALL_KINDS: Values = (3, 2, 2, 2, 2, 2, 3, 3, 3, 9)
FEW_LOW: Values = (2, 1, 1, 1, 1, 2, 2, 3, 3, 8)
PAYTABLE_1 = registry.paytable("blackjack", "house_money", "1")
STAND = Rules(1, "stand")
HIT = Rules(1, "hit", double_after_split=False, max_hands=3, surrender=True)


@pytest.mark.parametrize("soft_17", ["stand", "hit"])
@pytest.mark.parametrize("up", [1, 6, 8, 10])
@pytest.mark.parametrize("cards", [(6, 8), (8, 8), (1, 6), (10, 10), (1, 8)])
def test_hands_equal_playing_everything_out(soft_17: Soft17, up: int, cards: tuple[int, int]) -> None:
    rules = Rules(1, soft_17)
    hand = values_of(cards)
    left = without(add(SMALL, up, -1), hand)
    expected = reference.best_play(left, hand, up, rules)
    assert ExactBlackjack(SMALL, up, rules).best(hand) == expected


@pytest.mark.parametrize("max_hands", [2, 3, 4])
@pytest.mark.parametrize(("pair", "up"), [(8, 10), (8, 6), (1, 10), (10, 8)])
def test_splits_equal_playing_hand_after_hand(max_hands: int, pair: int, up: int) -> None:
    shoe: Values = (2, 0, 0, 0, 0, 1, 0, 5, 0, 5)
    rules = Rules(1, "hit", max_hands=max_hands)
    table = ExactBlackjack(shoe, up, rules)
    left = without(add(shoe, up, -1), add(values_of((pair,)), pair))
    expected = reference.split_in_order(left, pair, up, rules, lambda hand: table.best(hand)[0])
    assert table.split(pair) == expected


@pytest.mark.whole
@pytest.mark.parametrize(
    ("shoe", "rules", "up"),
    [(ALL_KINDS, STAND, 10), (ALL_KINDS, HIT, 5), (FEW_LOW, STAND, 5), (FEW_LOW, HIT, 10), (FEW_LOW, HIT, 1)],
)
def test_compiled_values_equal_the_exact_ones(shoe: Values, rules: Rules, up: int) -> None:
    exact, fast = ExactBlackjack(shoe, up, rules), tables.solve(shoe, up, rules)
    for low in range(1, 11):
        for high in range(low, 11):
            hand = values_of((low, high))
            if not deal_ways(shoe, low, high, up):
                continue
            action, value = exact.deal(low, high)
            choices = fast.choices(hand)
            best = max(choices, key=lambda name: choices[name])
            assert action in (best, "blackjack")
            assert isclose(choices[best] * fast.no_blackjack(hand), value, abs_tol=1e-12)
            if low == high:
                assert isclose(choices["split"] * fast.no_blackjack(hand), exact.split(low), abs_tol=1e-12)


def test_split_hands_are_all_accounted_for() -> None:
    # If every hand were worth 1, a split would be worth its mean number of hands.
    assert split_terms(2) == {(False, 0, 0): 2}
    assert sum(split_terms(4).values()) == 28


@pytest.mark.whole
@pytest.mark.parametrize(
    ("rules", "published"),
    [
        (Rules(5, "hit"), -0.005918),
        (Rules(5, "hit", double_after_split=False), -0.007366),
        (Rules(2, "hit"), -0.003797),
    ],
)
def test_whole_game_is_near_published_values(rules: Rules, published: float) -> None:
    # Wizard of Odds, Blackjack Appendix 9, whose split hands know how many hands were split: a little better.
    assert 0 < published - game_value(rules) < 1e-5


@pytest.mark.whole
def test_small_whole_game_is_the_same_both_ways() -> None:
    assert isclose(exact_shoe_value(FEW_LOW, STAND), shoe_value(FEW_LOW, STAND), abs_tol=1e-12)


@pytest.mark.whole
@pytest.mark.parametrize("soft_17", ["stand", "hit"])
def test_certificate_agrees_with_the_compiled_figure(soft_17: Soft17) -> None:
    rules = Rules(6, soft_17)
    entry = parlay.certificate(rules, PAYTABLE_1)
    assert entry is not None
    edge = parlay.bet_edge(PAYTABLE_1, 6)
    for up in range(1, 11):
        gain = parlay.up_gain(rules, PAYTABLE_1, up, compiled_hand_values(rules, PAYTABLE_1, up))
        assert isclose(gain, Fraction(entry["gain_by_up_card"][str(up)]), abs_tol=1e-12)
        edge -= gain
    assert isclose(edge, Fraction(entry["house_edge"]), abs_tol=1e-12)


def test_certificate_adds_up() -> None:
    for rules in (Rules(6, "stand"), Rules(6, "hit")):
        entry = parlay.certificate(rules, PAYTABLE_1)
        assert entry is not None
        gains = sum(map(Fraction, entry["gain_by_up_card"].values()), Fraction(0))
        assert Fraction(entry["house_edge"]) == parlay.bet_edge(PAYTABLE_1, 6) - gains


@pytest.mark.whole
def test_part_of_the_certificate_is_derived_again() -> None:
    """The rounds against a ten, the most frequent up card, in exact fractions."""
    rules = Rules(6, "stand")
    gain = parlay.up_gain(rules, PAYTABLE_1, 10, parlay.hand_values(rules, PAYTABLE_1, 10))
    entry = parlay.certificate(rules, PAYTABLE_1)
    assert entry is not None
    assert Fraction(entry["gain_by_up_card"]["10"]) == gain


def test_no_certificate_for_other_rules() -> None:
    assert parlay.certificate(Rules(5, "hit"), PAYTABLE_1) is None


def test_a_solved_up_card_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FELTWORK_CACHE", str(tmp_path))
    rules = Rules(3, "hit", surrender=True, peeks=False)
    solved = tables.solve(rules.shoe(), 10, rules)
    tables.table.cache_clear()
    tables.table(rules, 10)
    (cache_file,) = tmp_path.iterdir()
    tables.table.cache_clear()
    loaded = tables.table(rules, 10)
    assert cache_file.stat().st_size < 100_000
    for hand in map(values_of, ((10, 6), (8, 8), (1, 1), (10, 1), (2, 3, 4), (10, 10, 1))):
        assert loaded.choices(hand) == solved.choices(hand)
        assert loaded.no_blackjack(hand) == solved.no_blackjack(hand)


def test_advice_is_quick_once_warm() -> None:
    rules = Rules(6, "hit")
    tables.advise((10, 6), 10, rules)
    started = time.process_time()
    advice = tables.advise((10, 6), 10, rules)
    assert time.process_time() - started < 0.1
    assert advice.action == "hit"
    assert set(advice.values) == {"stand", "hit", "double"}


@pytest.mark.parametrize(
    ("hand", "up", "best"),
    [("As Ks", "Ac", "leave"), ("Ks Qs", "Kd", "leave"), ("7s 8s", "Kd", "take"), ("8s 8d", "Kd", "take")],
)
def test_proceeds_stay_only_on_good_hands(hand: str, up: str, best: str) -> None:
    options = {option.name: option.default for option in registry.game("blackjack").options}
    decision = Decision(
        seat=1,
        name="house_money",
        choices=("take", "leave"),
        cards=parse_cards(hand),
        sees={"dealer": parse_cards(up)},
        options=options,
    )
    advice = advise("blackjack", decision, {})
    assert advice.best == best
    if hand == "As Ks":
        assert advice.worth["leave"] == Fraction(3, 2)
