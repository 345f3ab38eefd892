"""Draws of four-card hands counted by ranks, against every draw ranked by the rules."""

import random
from bisect import bisect
from itertools import combinations

import pytest

from feltwork.odds.four_card.classes import hand_of, value_of
from feltwork.odds.four_card.draws import count_draws
from feltwork.titles.cards.card import DECK
from feltwork.titles.hands.four_card import best_four


def by_the_rules(known: list[int], hidden: list[int], draws: int, bounds: list[int]) -> list[int]:
    counts = [0] * (len(bounds) + 1)
    for drawn in combinations(hidden, draws):
        hand = best_four(DECK[card] for card in (*known, *drawn))
        counts[bisect(bounds, value_of(hand))] += 1
    return counts


@pytest.mark.parametrize("seed", range(60))
def test_draws_are_those_of_the_rules(seed: int) -> None:
    """A third of the decks has mostly one suit, and a third mostly four ranks, for flushes and pairs."""
    dice = random.Random(seed)
    deck = dice.sample(range(52), 52)
    if seed % 3 == 1:
        deck.sort(key=lambda card: card % 4 and dice.random() < 0.7)
    if seed % 3 == 2:
        deck.sort(key=lambda card: card // 4 > 3 and dice.random() < 0.7)
    cards, known = 4 + seed % 3, dice.randrange(0, 4)
    own, known_cards, hidden = deck[:5], deck[5 : 5 + known], deck[5 + known : 15 + known]
    value = value_of(best_four(DECK[card] for card in own))
    bounds = sorted({value, value + 1, 14 << 12})
    counted = count_draws(known_cards, hidden, cards - known, bounds)
    assert counted == by_the_rules(known_cards, hidden, cards - known, bounds)


def test_three_of_a_kind_beats_the_flush_in_the_same_six_cards() -> None:
    """Ah Kh 8h 2h is a flush; the two other aces make three of a kind, which is higher."""
    known = [card.index for card in DECK if str(card) in ("Ah", "Kh", "8h", "2h")]
    aces = [card.index for card in DECK if str(card) in ("As", "Ad")]
    flush, three = (value_of(best_four(DECK[card] for card in cards)) for cards in (known, known + aces))
    assert count_draws(known, aces, 2, [flush, flush + 1, three, three + 1]) == [0, 0, 0, 1, 0]


def test_a_value_is_its_hand() -> None:
    for seed in range(200):
        hand = best_four(random.Random(seed).sample(DECK, 5))
        assert hand_of(value_of(hand)) == hand
