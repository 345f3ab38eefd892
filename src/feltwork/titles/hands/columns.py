"""Values of many poker hands at once, as numpy columns; they compare as the hands of `category` do."""

from functools import cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from feltwork.titles.hands.category import Hand, names_of, run_height
from feltwork.titles.hands.five_card import ACE_KING, THREE_TENS, FiveCardCategory
from feltwork.titles.hands.five_card import ROWS as FIVE_CARD_ROWS
from feltwork.titles.hands.four_card import KING_HIGH, PAIR_OF_ACES, FourCardCategory
from feltwork.titles.hands.four_card import ROWS as FOUR_CARD_ROWS

if TYPE_CHECKING:
    import numpy.typing as npt

Ints: TypeAlias = "npt.NDArray[np.int64]"
_CATEGORIES = {4: FourCardCategory, 5: FiveCardCategory}
_ROWS = {4: FOUR_CARD_ROWS, 5: FIVE_CARD_ROWS}
#: Hands that a rule compares with, by size.
_BORDERS = {4: (KING_HIGH, PAIR_OF_ACES), 5: (ACE_KING, THREE_TENS)}
_FIELD = 13


@cache
def _tops() -> Ints:
    """Return the highest bits of each set of ranks, by how many are kept."""
    tops = np.zeros((6, 1 << _FIELD), dtype=np.int64)
    for ranks in range(1 << _FIELD):
        left = ranks
        for keep in range(1, 6):
            tops[keep, ranks] = tops[keep - 1, ranks] | (1 << left.bit_length() >> 1)
            left &= ~int(tops[keep, ranks])
    return tops


@cache
def _runs(length: int) -> Ints:
    """Return the top rank, as a bit, of the best run in each set of ranks."""
    heights = (run_height(ranks << 2, length) for ranks in range(1 << _FIELD))
    return np.array([1 << height - 2 if height else 0 for height in heights], dtype=np.int64)


@cache
def _sizes() -> Ints:
    return np.array([ranks.bit_count() for ranks in range(1 << _FIELD)], dtype=np.int64)


def values(cards: Ints, size: int) -> Ints:
    """Return the value of the best hand of four or five cards; the last axis holds the cards, 0 to 51."""
    tops, runs, categories = _tops(), _runs(size), _CATEGORIES[size]
    one, two, three, four = (np.zeros(cards.shape[:-1], dtype=np.int64) for _ in range(4))
    suits = np.zeros((4, *cards.shape[:-1]), dtype=np.int64)
    for place in range(cards.shape[-1]):
        bit = np.left_shift(1, cards[..., place] >> 2)
        four |= three & bit
        three |= two & bit
        two |= one & bit
        one |= bit
        for suit in range(4):
            suits[suit] |= np.where(cards[..., place] & 3 == suit, bit, 0)
    # No two suits can both have enough cards for a flush.
    suited = np.where(_sizes()[suits] >= size, suits, 0).sum(axis=0)
    pairs = tops[2, two]
    best, trips = tops[1, two], tops[1, three]
    under = tops[1, two & ~trips]
    found = {
        "STRAIGHT_FLUSH": (runs[suited], 0),
        "FOUR_OF_A_KIND": (tops[1, four], tops[size - 4, one & ~tops[1, four]]),
        "FULL_HOUSE": (np.where(under > 0, trips, 0), under),
        "FLUSH": (tops[size, suited], 0),
        "STRAIGHT": (runs[one], 0),
        "THREE_OF_A_KIND": (trips, tops[size - 3, one & ~trips]),
        "TWO_PAIR": (np.where(pairs != best, pairs, 0), tops[size - 4, one & ~pairs]),
        "PAIR": (best, tops[size - 2, one & ~best]),
        "HIGH_CARD": (tops[size, one], 0),
    }
    ladder = [(category, *found[category.name]) for category in reversed(categories)]
    return np.select(
        [primary > 0 for _, primary, _ in ladder],
        [category << 2 * _FIELD | primary << _FIELD | kickers for category, primary, kickers in ladder],
    )


def hand_of(value: int, size: int) -> Hand:
    """Return the hand with a value."""
    fields = (value >> _FIELD & (1 << _FIELD) - 1, value & (1 << _FIELD) - 1)
    ranks = tuple(rank + 2 for field in fields for rank in range(12, -1, -1) if field >> rank & 1)
    return Hand(_CATEGORIES[size](value >> 2 * _FIELD), ranks)


_numbers: dict[object, int] = {}


@cache
def _kind(value: int, size: int) -> int:
    hand = hand_of(value, size)
    borders = tuple(hand >= border for border in _BORDERS[size])
    return _numbers.setdefault((names_of(hand, _ROWS[size]), borders), len(_numbers))


def kinds(of: Ints, size: int) -> Ints:
    """Number the values by the rows that they match and the borders that they reach."""
    distinct, places = np.unique(of, return_inverse=True)
    known = np.array([_kind(value, size) for value in distinct.tolist()], dtype=np.int64)
    return known[places].reshape(of.shape)
