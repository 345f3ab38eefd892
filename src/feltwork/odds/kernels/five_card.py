"""Compiled evaluation of five to seven cards, and counts over all hands.

Cards and values are those of `feltwork.odds.hand_values`.

The kernels release the interpreter lock and are run in threads by their callers: numba's own thread pool
may not be entered from two Python threads at once, which a server would do.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numba import njit
from numba.extending import register_jitable
from numpy.typing import NDArray

from feltwork.odds.hand_values import (
    ALL_RANKS,
    CATEGORY_SHIFT,
    flush_value,
    ranks_value,
    straight_top,
    top_bit,
    top_bits,
)

Ints = NDArray[np.int64]

for function in (top_bit, top_bits, straight_top, flush_value, ranks_value):
    register_jitable(function)


@njit(cache=True, nogil=True)
def hand_value(cards: Ints) -> int:
    """Value of the best five of five, six or seven cards."""
    one = two = three = four = 0
    suited = 0
    tally = 0x3333
    for card in cards:
        bit = 1 << (card >> 2)
        suit = card & 3
        four |= three & bit
        three |= two & bit
        two |= one & bit
        one |= bit
        suited |= bit << 13 * suit
        tally += 1 << 4 * suit
    # Each suit has a four-bit tally that starts at three: its top bit marks five cards or more. Seven cards
    # with five ranks of one suit leave no room for a full house or four of a kind.
    flushed = tally & 0x8888
    if flushed:
        suit = 0
        while flushed != 8:
            flushed >>= 4
            suit += 1
        return flush_value(suited >> 13 * suit & ALL_RANKS)
    return ranks_value(one, two, three, four)


@njit(cache=True, nogil=True)
def _categories_with_highest(highest: int, size: int) -> Ints:
    """Count the categories of all sets of `size` cards whose highest card index is `highest`."""
    counts = np.zeros(10, np.int64)
    cards = np.arange(size)
    if highest < size - 1:
        return counts
    cards[size - 1] = highest
    while True:
        counts[hand_value(cards) >> CATEGORY_SHIFT] += 1
        spot = 0
        while spot < size - 1 and cards[spot] + 1 == cards[spot + 1]:
            cards[spot] = spot
            spot += 1
        if spot == size - 1:
            return counts
        cards[spot] += 1


def category_counts(size: int, *, workers: int = 2) -> tuple[int, ...]:
    """Count the C(52, size) sets of five to seven cards by category, high card first."""
    with ThreadPoolExecutor(workers) as pool:
        parts = pool.map(lambda highest: _categories_with_highest(highest, size), range(51, size - 2, -1))
        return tuple(int(count) for count in np.sum(list(parts), axis=0))


@njit(cache=True, nogil=True)
def _categories_with(held: Ints, size: int) -> Ints:
    """Count the categories of all sets of `size` cards that contain the cards held."""
    counts = np.zeros(10, np.int64)
    rest = np.empty(52 - len(held), np.int64)
    place = 0
    for card in range(52):
        if not (held == card).any():
            rest[place] = card
            place += 1
    drawn = size - len(held)
    chosen = np.arange(drawn)
    cards = np.empty(size, np.int64)
    cards[drawn:] = held
    while True:
        cards[:drawn] = rest[chosen]
        counts[hand_value(cards) >> CATEGORY_SHIFT] += 1
        spot = drawn - 1
        while spot >= 0 and chosen[spot] == len(rest) - drawn + spot:
            spot -= 1
        if spot < 0:
            return counts
        chosen[spot] += 1
        for later in range(spot + 1, drawn):
            chosen[later] = chosen[later - 1] + 1


def category_counts_with(held: Sequence[int], size: int) -> tuple[int, ...]:
    """Count the sets of five to seven cards that contain these cards, by category, high card first."""
    return tuple(_categories_with(np.array(held, np.int64), size).tolist())
