"""Compiled evaluation of five to seven cards, and counts over all hands.

A card is `4 * (rank - 2) + suit` with ranks 2..14 (ace 14) and suits c d h s = 0..3. A hand's value is one
integer, `category << 26 | primary << 13 | kickers`, whose two fields are sets of ranks (bit 0 = two): of two
hands the higher value wins, equal values tie. Sets compare as numbers exactly as kickers compare in turn.

The kernels release the interpreter lock and are run in threads by their callers: numba's own thread pool
may not be entered from two Python threads at once, which a server would do.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numba import njit
from numpy.typing import NDArray

Ints = NDArray[np.int64]

(
    HIGH_CARD,
    PAIR,
    TWO_PAIR,
    THREE_OF_A_KIND,
    STRAIGHT,
    FLUSH,
    FULL_HOUSE,
    FOUR_OF_A_KIND,
    STRAIGHT_FLUSH,
    ROYAL_FLUSH,
) = range(10)
CATEGORY_SHIFT = 26
PRIMARY_SHIFT = 13
ALL_RANKS = (1 << 13) - 1


@njit(cache=True, nogil=True)
def top_bit(ranks: int) -> int:
    """The highest bit of a set of ranks."""
    while ranks & (ranks - 1):
        ranks &= ranks - 1
    return ranks


@njit(cache=True, nogil=True)
def top_bits(ranks: int, keep: int) -> int:
    """The highest bits of a set of ranks, so many of them."""
    size = 0
    rest = ranks
    while rest:
        rest &= rest - 1
        size += 1
    for _ in range(size - keep):
        ranks &= ranks - 1
    return ranks


@njit(cache=True, nogil=True)
def straight_top(ranks: int) -> int:
    """The highest rank of the best straight in a set of ranks as a bit, or 0. The ace also counts low."""
    shifted = ranks << 1 | ranks >> 12
    return top_bit(shifted & shifted >> 1 & shifted >> 2 & shifted >> 3 & shifted >> 4) << 3 & ALL_RANKS


@njit(cache=True, nogil=True)
def flush_value(ranks: int) -> int:
    """Value of a hand whose best five cards are all of one suit, from the ranks held in that suit."""
    top = straight_top(ranks)
    if top:
        category = ROYAL_FLUSH if top == 1 << 12 else STRAIGHT_FLUSH
        return category << CATEGORY_SHIFT | top << PRIMARY_SHIFT
    return FLUSH << CATEGORY_SHIFT | top_bits(ranks, 5) << PRIMARY_SHIFT


@njit(cache=True, nogil=True)
def ranks_value(one: int, two: int, three: int, four: int) -> int:
    """Value without suits, from the ranks held at least once, twice, three times, four times."""
    if four:
        top = top_bit(four)
        return FOUR_OF_A_KIND << CATEGORY_SHIFT | top << PRIMARY_SHIFT | top_bit(one & ~top)
    if three:
        top = top_bit(three)
        under = two & ~top
        if under:
            return FULL_HOUSE << CATEGORY_SHIFT | top << PRIMARY_SHIFT | top_bit(under)
    run = straight_top(one)
    if run:
        return STRAIGHT << CATEGORY_SHIFT | run << PRIMARY_SHIFT
    if three:
        return THREE_OF_A_KIND << CATEGORY_SHIFT | top << PRIMARY_SHIFT | top_bits(one & ~top, 2)
    if two & (two - 1):
        both = top_bits(two, 2)
        return TWO_PAIR << CATEGORY_SHIFT | both << PRIMARY_SHIFT | top_bit(one & ~both)
    if two:
        return PAIR << CATEGORY_SHIFT | two << PRIMARY_SHIFT | top_bits(one & ~two, 3)
    return top_bits(one, 5) << PRIMARY_SHIFT


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
    # Each suit has a four-bit tally that starts at three: its top bit says five cards or more. Seven cards
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
    """Categories of all sets of `size` cards whose highest card index is `highest`."""
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
    """How many of the C(52, size) sets of five to seven cards are of each category, high card first."""
    with ThreadPoolExecutor(workers) as pool:
        parts = pool.map(lambda highest: _categories_with_highest(highest, size), range(51, size - 2, -1))
        return tuple(int(count) for count in np.sum(list(parts), axis=0))


@njit(cache=True, nogil=True)
def _categories_with(held: Ints, size: int) -> Ints:
    """Categories of all sets of `size` cards that contain the cards held."""
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
    """How many sets of five to seven cards with these among them are of each category, high card first."""
    return tuple(_categories_with(np.array(held, np.int64), size).tolist())
