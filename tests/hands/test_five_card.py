"""Five-card hands against evaluators that others wrote: every one, and a million of seven cards."""

import random
from collections import Counter
from functools import cache
from itertools import combinations
from math import comb

import eval7
import phevaluator
import pytest

from feltwork.titles.cards.card import DECK
from feltwork.titles.hands.category import Hand
from feltwork.titles.hands.five_card import ROYAL_FLUSH, FiveCardCategory, best_five

THEIR_CARDS = [eval7.Card(str(card)) for card in DECK]


@cache
def values() -> tuple[dict[int, Hand], Counter[int]]:
    """Eval7's number for every five-card hand with our value of it, and how often each category comes."""
    hands_by_number: dict[int, Hand] = {}
    counts: Counter[int] = Counter()
    for cards in combinations(range(52), 5):
        hand = best_five([DECK[card] for card in cards])
        number = eval7.evaluate([THEIR_CARDS[card] for card in cards])
        counts[hand.category] += 1
        assert hands_by_number.setdefault(number, hand) == hand
    return hands_by_number, counts


@pytest.mark.whole
def test_every_five_card_hand_agrees_with_eval7() -> None:
    hands_by_number, counts = values()
    assert len(hands_by_number) == len(set(hands_by_number.values())) == 7462
    in_their_order = [hands_by_number[number] for number in sorted(hands_by_number)]
    assert in_their_order == sorted(in_their_order)
    assert counts.total() == comb(52, 5)
    assert counts == {
        FiveCardCategory.STRAIGHT_FLUSH: 40,
        FiveCardCategory.FOUR_OF_A_KIND: 624,
        FiveCardCategory.FULL_HOUSE: 3_744,
        FiveCardCategory.FLUSH: 5_108,
        FiveCardCategory.STRAIGHT: 10_200,
        FiveCardCategory.THREE_OF_A_KIND: 54_912,
        FiveCardCategory.TWO_PAIR: 123_552,
        FiveCardCategory.PAIR: 1_098_240,
        FiveCardCategory.HIGH_CARD: 1_302_540,
    }
    assert max(hands_by_number.values()) == ROYAL_FLUSH


@pytest.mark.whole
def test_a_million_seven_card_hands_agree_with_phevaluator() -> None:
    hands_by_number: dict[int, Hand] = {}
    dice = random.Random(7)
    ids = [phevaluator.Card(str(card)).id_ for card in DECK]
    for _ in range(1_000_000):
        cards = dice.sample(range(52), 7)
        hand = best_five([DECK[card] for card in cards])
        rank = phevaluator.evaluate_cards(*[ids[card] for card in cards])
        assert hands_by_number.setdefault(rank, hand) == hand
    assert len(hands_by_number) == len(set(hands_by_number.values()))
    in_their_order = [hands_by_number[number] for number in sorted(hands_by_number, reverse=True)]
    assert in_their_order == sorted(in_their_order)
