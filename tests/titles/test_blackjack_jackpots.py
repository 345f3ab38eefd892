"""Blazing 7's and TriLux over all three-card deals of a shoe, against counts made by hand."""

from collections import Counter
from itertools import combinations_with_replacement
from math import comb

import pytest

from feltwork.titles import registry
from feltwork.titles.cards.card import DECK, Card

DECKS = 6


def ways(cards: tuple[Card, ...]) -> int:
    """How many ways a shoe holds these cards."""
    total = 1
    for times in Counter(cards).values():
        total *= comb(DECKS, times)
    return total


def test_trilux_rows_over_a_whole_shoe() -> None:
    trilux = registry.jackpot("trilux")
    paytable = registry.paytable("trilux", "jackpot", "6")
    counts: Counter[str] = Counter()
    for cards in combinations_with_replacement(DECK, 3):
        row = paytable.row_for(trilux.names((cards[:2], cards[2:])))
        counts[row.hand if row else "nothing"] += ways(cards)
    suited_runs = 12 * 4 * DECKS**3
    suited_trips = 52 * comb(DECKS, 3)
    assert counts["three_aces_suited"] == 4 * comb(DECKS, 3)
    assert counts["three_of_a_kind_suited"] == 48 * comb(DECKS, 3)
    assert counts["straight_flush"] == suited_runs
    assert counts["three_of_a_kind"] == 13 * comb(4 * DECKS, 3) - suited_trips
    assert counts["straight"] == 12 * (4 * DECKS) ** 3 - suited_runs
    assert counts["flush"] == 4 * comb(13 * DECKS, 3) - suited_runs - suited_trips
    assert counts.total() == comb(52 * DECKS, 3)


@pytest.mark.parametrize("identifier", ["1", "2", "ML03", "ML04"])
def test_blazing_rows_for_three_sevens_of_a_shoe(identifier: str) -> None:
    blazing = registry.jackpot("blazing_7s")
    paytable = registry.paytable("blazing_7s", "jackpot", identifier)
    sevens = [card for card in DECK if card.rank == 7]
    counts: Counter[str] = Counter()
    for cards in combinations_with_replacement(sevens, 3):
        row = paytable.row_for(blazing.names((cards[:2], cards[2:])))
        assert row is not None
        counts[row.hand] += ways(cards)
    suited, one_color = comb(DECKS, 3), 2 * comb(2 * DECKS, 3)
    diamonds = 0 if identifier == "1" else suited
    assert counts["three_7s_diamonds"] == diamonds
    assert counts["three_7s_suited"] == 4 * suited - diamonds
    assert counts["three_7s_same_color"] == one_color - 4 * suited
    assert counts["three_7s"] == comb(4 * DECKS, 3) - one_color
