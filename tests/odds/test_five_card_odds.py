"""Compiled evaluation against hands ranked by the book."""

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest

from feltwork.odds.hand_values import CATEGORY_SHIFT
from feltwork.odds.kernels.five_card import category_counts
from feltwork.odds.pricing import price
from feltwork.odds.titles.five_card import count_five_cards
from feltwork.odds.titles.holdem import count_hole_and_board
from feltwork.odds.titles.holdem_bonus import count_hole_cards
from feltwork.titles import registry
from tests.odds.five_card_reference import best_rank, hand_values

# Decks small enough for every hand: few suits make flushes, few ranks make pairs to quads.
DECKS = {
    "seven ranks of two suits": [4 * rank + suit for rank in (0, 1, 2, 3, 4, 5, 12) for suit in (1, 3)],
    "five ranks of three suits": [4 * rank + suit for rank in (8, 9, 10, 11, 12) for suit in (0, 1, 2)],
    "four ranks of four suits": [4 * rank + suit for rank in (0, 1, 11, 12) for suit in range(4)],
}


@pytest.mark.parametrize("deck", DECKS.values(), ids=DECKS.keys())
@pytest.mark.parametrize("size", [5, 6, 7])
def test_every_hand_of_a_small_deck_is_ordered_as_by_the_book(deck: list[int], size: int) -> None:
    hands = list(combinations(deck, size))
    values = hand_values(np.array(hands, dtype=np.int64)).tolist()
    ranks = [best_rank(hand) for hand in hands]
    order = {rank: place for place, rank in enumerate(sorted(set(ranks)))}
    distinct = sorted(set(values))
    assert [distinct.index(value) for value in values] == [order[rank] for rank in ranks]
    assert [value >> CATEGORY_SHIFT for value in values] == [rank[0] for rank in ranks]


def test_random_hands_of_the_full_deck_agree_with_the_book() -> None:
    rng = np.random.default_rng(1)
    hands = np.array([rng.permutation(52)[:7] for _ in range(3000)])
    values = hand_values(hands).tolist()
    ranks = [best_rank(hand) for hand in hands.tolist()]
    order = {rank: place for place, rank in enumerate(sorted(set(ranks)))}
    distinct = {value: place for place, value in enumerate(sorted(set(values)))}
    assert [distinct[value] for value in values] == [order[rank] for rank in ranks]


def test_the_five_card_deck_has_7462_values() -> None:
    values = hand_values(np.array(list(combinations(range(52), 5)), dtype=np.int64))
    assert np.unique(values).size == 7462


def test_five_card_kernel_counts_what_the_rules_name() -> None:
    counted = category_counts(5)
    assert sum(counted) == comb(52, 5)
    priced = price(registry.paytable("five_card", "jackpot", "01"), count_five_cards())
    assert [priced.deals[place] for place in range(7)] == list(reversed(counted))[:7]


def test_seven_card_rows_by_closed_counts() -> None:
    """Full houses and four of a kind in seven cards, counted on paper."""
    counted = category_counts(7)
    assert sum(counted) == comb(52, 7)
    two_triples = comb(13, 2) * comb(4, 3) ** 2 * 44
    triple_and_two_pairs = 13 * comb(4, 3) * comb(12, 2) * comb(4, 2) ** 2
    triple_and_pair = 13 * comb(4, 3) * 12 * comb(4, 2) * comb(11, 2) * 4**2
    assert counted[6] == two_triples + triple_and_two_pairs + triple_and_pair
    assert counted[7] == 13 * comb(48, 3)
    assert counted[9] == 4 * comb(47, 2)


def test_royals_by_place() -> None:
    """Fill seven places (two hole, three flop, turn, river) with a royal and two blanks in every way."""
    ways = Counter(
        "community_royal"
        if blanks == (0, 1)
        else "royal_after_5"
        if blanks == (5, 6)
        else "royal_after_6"
        if 6 in blanks
        else "royal_after_7"
        for blanks in combinations(range(7), 2)
    )
    atoms = count_hole_and_board()
    assert sum(atoms.values()) == comb(52, 7) * 21
    for name, places in ways.items():
        (deals,) = [count for names, count in atoms.items() if name in names]
        assert deals == 4 * comb(47, 2) * places


def test_bonus_rows() -> None:
    dealers = comb(50, 2)
    priced = price(registry.paytable("holdem_bonus", "bonus", "2"), count_hole_cards())
    deals = {row.hand: priced.deals[place] for place, row in enumerate(priced.paytable.rows)}
    assert deals["aces_against_aces"] == 6
    assert deals["aces"] == 6 * dealers - 6
    assert [count // dealers for count in list(deals.values())[2:]] == [4, 8, 12, 18, 24, 54]
    assert priced.total == 1326 * dealers
