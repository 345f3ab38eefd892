"""Four-card hands over whole spaces: every hand of four, five and six cards."""

from collections import Counter
from functools import cache
from itertools import combinations
from math import comb

import pytest

from feltwork.odds.atoms import suit_classes
from feltwork.titles.cards.card import DECK, Card, parse_cards
from feltwork.titles.hands.category import Hand
from feltwork.titles.hands.four_card import FourCardCategory, best_four


def plain_value(cards: tuple[Card, ...]) -> tuple[int, tuple[int, ...]]:
    """Four cards named the slow way, straight from the words of the rule."""
    ranks = sorted((card.rank for card in cards), reverse=True)
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    pattern = [count for count, _ in groups]
    order = tuple(rank for _, rank in groups)
    suited = len({card.suit for card in cards}) == 1
    low = ranks == [14, 4, 3, 2]
    in_sequence = len(order) == 4 and (ranks[0] - ranks[3] == 3 or low)
    top = (4,) if low else order[:1]
    if pattern == [4]:
        return 7, order
    if suited and in_sequence:
        return 6, top
    if pattern == [3, 1]:
        return 5, order
    if suited:
        return 4, order
    if in_sequence:
        return 3, top
    return {(2, 2): 2, (2, 1, 1): 1, (1, 1, 1, 1): 0}[tuple(pattern)], order


@cache
def plain_values() -> dict[int, tuple[int, tuple[int, ...]]]:
    """The value of each of the C(52,4) hands, by the set of its cards as bits."""
    return {bits(cards): plain_value(cards) for cards in combinations(DECK, 4)}


def bits(cards: tuple[Card, ...]) -> int:
    return sum(1 << card.index for card in cards)


def value(hand: Hand) -> tuple[int, tuple[int, ...]]:
    return int(hand.category), hand.ranks


@pytest.mark.whole
def test_every_four_card_hand() -> None:
    counts: Counter[FourCardCategory] = Counter()
    for cards in combinations(DECK, 4):
        hand = best_four(cards)
        assert value(hand) == plain_values()[bits(cards)]
        counts[FourCardCategory(hand.category)] += 1
    assert counts == {
        FourCardCategory.FOUR_OF_A_KIND: 13,
        FourCardCategory.STRAIGHT_FLUSH: 11 * 4,
        FourCardCategory.THREE_OF_A_KIND: 13 * 4 * 48,
        FourCardCategory.FLUSH: 4 * (comb(13, 4) - 11),
        FourCardCategory.STRAIGHT: 11 * (4**4 - 4),
        FourCardCategory.TWO_PAIR: comb(13, 2) * 6 * 6,
        FourCardCategory.PAIR: 13 * 6 * comb(12, 2) * 4 * 4,
        FourCardCategory.HIGH_CARD: (comb(13, 4) - 11) * (4**4 - 4),
    }


@pytest.mark.whole
@pytest.mark.parametrize("size", [5, 6])
def test_best_four_is_the_highest_of_all_subsets(size: int) -> None:
    """Over every hand of five and of six cards, one of each suit class."""
    values = plain_values()
    counts: Counter[int] = Counter()
    for cards, ways in suit_classes(size):
        hand = best_four(cards)
        cards_as_bits = [1 << card.index for card in cards]
        assert value(hand) == max(values[sum(four)] for four in combinations(cards_as_bits, 4))
        counts[hand.category] += ways
    assert counts.total() == comb(52, size)
    assert counts == COUNTS[size]


#: How many hands of each size hold each category as their best four; those of five cards are published.
COUNTS = {
    5: {7: 624, 6: 2_072, 5: 58_656, 4: 114_616, 3: 101_808, 2: 123_552, 1: 1_047_552, 0: 1_150_080},
    6: {
        7: 14_664,
        6: 47_752,
        5: 897_616,
        4: 2_245_352,
        3: 1_744_080,
        2: 2_342_736,
        1: 8_194_320,
        0: 4_872_000,
    },
}


@pytest.mark.letter("titles.hands.four_card.best_four", "{C4,SF}.overview.{ranking,ace-note}")
def test_hands_rank_as_the_letters_list_them() -> None:
    """From four of a kind down; an ace is high except in 4-3-2-A."""
    examples = [
        "As Ah Ad Ac 9c",
        "2s 2h 2d 2c 9c",
        "Ks Qs Js Ts 2d",
        "As 2s 3s 4s 9c",
        "As Ah Ad 9c 7d",
        "Ks 9s 7s 2s Ad",
        "Ad Ks Qh Jc 2d",
        "5d 4s 3h 2c 9d",
        "Ad 4s 3h 2c 9d",
        "Ks Kh 3d 3c 2s",
        "As Ah Kd 9c 2s",
        "Ad 3s 2h Kc 9d",
        "Ks Qh 9d 3c 2s",
    ]
    hands = [best_four(parse_cards(cards)) for cards in examples]
    assert hands == sorted(hands, reverse=True)
    assert len(set(hands)) == len(hands)
