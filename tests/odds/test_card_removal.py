"""The effect of a card that is gone, and what a count of effects is worth."""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations
from statistics import pstdev

import pytest

from feltwork.odds.pricing import price
from feltwork.odds.shoe_removals import sights_without_one
from feltwork.odds.titles.mini_baccarat.counts import count_shoe
from feltwork.odds.what_if.card_removal import CardRemoval, card_removal
from feltwork.odds.what_if.fields import question_from
from feltwork.odds.what_if.question import usual
from feltwork.titles import registry
from feltwork.titles.cards.card import DECK, Card
from feltwork.titles.cards.shoe import decks_of
from feltwork.titles.hands.points import baccarat_value


def effects_of(title: str, bet: str, identifier: str) -> CardRemoval:
    removal = card_removal(usual(registry.paytable(title, bet, identifier)))
    assert removal is not None
    return removal


def test_a_shoe_without_a_card_is_counted_as_if_it_were_dealt() -> None:
    """Every draw of two cards and one from two decks of which a card is taken away, one by one."""
    names = registry.jackpot("blazing_7s").names
    missing_card = DECK[22]
    shoe = list(decks_of(2))
    shoe.remove(missing_card)
    sevens = [card for card in shoe if card.rank == 7]
    dealt: Counter[frozenset[str]] = Counter()
    for first in combinations(range(len(sevens)), 2):
        for up in range(len(sevens)):
            if up not in first:
                dealt[names((tuple(sevens[place] for place in first), (sevens[up],)))] += 1
    counted = sights_without_one(2, (2, 1), names)[missing_card]
    three = {called: ways for called, ways in counted.items() if called in dealt}
    assert three == dealt
    assert sum(counted.values()) == 103 * 102 // 2 * 101


def test_the_effects_of_all_cards_of_a_shoe_almost_cancel() -> None:
    removal = effects_of("mini_baccarat", "dragon_bonus", "1")
    assert removal.cards == 416
    total = sum(removal.effects.values(), Fraction(0))
    assert abs(total) < max(abs(effect) for effect in removal.effects.values()) / 50
    for _, cards in removal.by_effect():
        assert len({baccarat_value(card) for card in cards}) == 1, "suits and pictures are alike"


def test_a_bet_that_lives_on_sevens_is_counted_by_sevens() -> None:
    removal = effects_of("blazing_7s", "jackpot", "1")
    (others, first), (worst, last) = removal.by_effect()
    assert {card.rank for card in last} == {7}
    assert len(first) == 48
    assert worst < 0 < others


def test_a_meter_above_its_mean_makes_every_card_weigh_more() -> None:
    paytable = registry.paytable("blazing_7s", "jackpot", "1")
    low, high = (
        card_removal(question_from(paytable, {"meter.jackpot": meter})) for meter in ("1000", "20000")
    )
    assert low is not None
    assert high is not None
    seven = Card(7, DECK[0].suit)
    assert high.effects[seven] < low.effects[seven] < 0
    assert high.advantage > low.advantage


@pytest.mark.whole
def test_the_estimate_at_half_a_shoe_is_near_exactly_counted_shoes() -> None:
    """The estimate adds effects up; here each shoe is counted exactly."""
    paytable = registry.paytable("mini_baccarat", "dragon_bonus", "1")
    removal = effects_of("mini_baccarat", "dragon_bonus", "1")
    half = next(depth for depth in removal.depths if depth.dealt == Fraction(1, 2))
    dice, shoe, exact = random.Random(7), decks_of(8), []
    for _ in range(60):
        left = Counter(dice.sample(shoe, len(shoe) // 2))
        counts = count_shoe(tuple(left[card] for card in DECK))
        exact.append(float(-price(paytable, counts.dragon_bonus("player")).house_edge))
    assert pstdev(exact) == pytest.approx(half.deviation, rel=0.3)


def test_rounds_from_one_fresh_deck_have_no_effect_of_removal() -> None:
    assert card_removal(usual(registry.paytable("crazy_4", "queens_up", "C4P-09"))) is None
