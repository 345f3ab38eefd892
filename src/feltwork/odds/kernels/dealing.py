"""Deals for simulations: shuffles, and the values of many hands at once."""

# mypy: disable-error-code="no-any-return"
# Reading an array gives mypy Any; inside a kernel numba checks the types instead.

import numpy as np

from feltwork.odds.four_card.classes import Int64Array
from feltwork.odds.kernels.compiled import kernel
from feltwork.odds.kernels.five_card import hand_value
from feltwork.odds.kernels.four_card import WORD, best_four


@kernel
def deal(draws: Int64Array, dealt: Int64Array) -> None:
    """Draw the first cards of one deck per row; draw i is a number below 52 - i."""
    deck = np.arange(52)
    for row in range(len(draws)):
        for place in range(draws.shape[1]):
            source = place + draws[row, place]
            deck[place], deck[source] = deck[source], deck[place]
            dealt[row, place] = deck[place]


@kernel
def best_fours(hands: Int64Array, values: Int64Array) -> None:
    """Compute the value of the best four cards of each row."""
    for row in range(len(hands)):
        word = 0
        for card in hands[row]:
            word += WORD[card]
        values[row] = best_four(word)


@kernel
def best_fives(hands: Int64Array, values: Int64Array) -> None:
    """Compute the value of the best five cards of each row."""
    for row in range(len(hands)):
        values[row] = hand_value(hands[row])


@kernel
def canonical_deals(hands: Int64Array, own: int, renamed: Int64Array) -> None:
    """Rename the suits of each row so that the rank sets of its first ``own`` cards descend by suit.

    The first column of ``renamed`` packs these cards, sorted, at six bits per card; the other columns are the
    remaining cards of the row.
    """
    masks, order = np.zeros(4, np.int64), np.zeros(4, np.int64)
    for row in range(len(hands)):
        masks[:] = 0
        for place in range(own):
            card = hands[row, place]
            masks[card & 3] |= 1 << (card >> 2)
        for suit in range(4):
            rank = 0
            for other in range(4):
                if masks[other] > masks[suit] or (masks[other] == masks[suit] and other < suit):
                    rank += 1
            order[suit] = rank
        packed, size = 0, 0
        for rank in range(13):
            for renamed_suit in range(4):
                for suit in range(4):
                    if order[suit] == renamed_suit and masks[suit] >> rank & 1:
                        packed |= (4 * rank + renamed_suit) << (6 * size)
                        size += 1
        renamed[row, 0] = packed
        for place in range(own, hands.shape[1]):
            card = hands[row, place]
            renamed[row, 1 + place - own] = card & ~3 | order[card & 3]
