"""Values and pay classes of four-card hands.

A value is ``category << 16`` plus up to four ranks of four bits each in tie-break order, so integers compare
like hands. A card is its index in a sorted deck.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from feltwork.odds.atoms import Atoms, Names
from feltwork.odds.lazy_numpy import np
from feltwork.titles.cards.card import ACE, KING, RANKS
from feltwork.titles.hands.category import Hand, names_of
from feltwork.titles.hands.four_card import ROWS, FourCardCategory

if TYPE_CHECKING:
    import numpy.typing as npt

Int8Array: TypeAlias = "npt.NDArray[np.int8]"
Int32Array: TypeAlias = "npt.NDArray[np.int32]"
Int64Array: TypeAlias = "npt.NDArray[np.int64]"

FULL_DECK: Final = tuple(range(52))
CATEGORY_SHIFT: Final = 16

#: One hand for each pay class, the finest distinction a paytable makes: pairs by rank, four aces.
CLASS_HANDS: Final = (
    Hand(FourCardCategory.HIGH_CARD, (9, 7, 5, 3)),
    *(Hand(FourCardCategory.PAIR, (rank,)) for rank in RANKS),
    Hand(FourCardCategory.TWO_PAIR, (9, 7)),
    Hand(FourCardCategory.STRAIGHT, (9,)),
    Hand(FourCardCategory.FLUSH, (9, 7, 5, 3)),
    Hand(FourCardCategory.THREE_OF_A_KIND, (9, 7)),
    Hand(FourCardCategory.STRAIGHT_FLUSH, (9,)),
    Hand(FourCardCategory.FOUR_OF_A_KIND, (9,)),
    Hand(FourCardCategory.FOUR_OF_A_KIND, (ACE,)),
)
PAY_CLASSES: Final = len(CLASS_HANDS)
CLASS_NAMES: Final = tuple(names_of(hand, ROWS) for hand in CLASS_HANDS)
FIRST_PAIR_CLASS: Final = 1
TWO_PAIR_CLASS: Final = 14
FOUR_ACES_CLASS: Final = 20

PAIR_OF_ACES: Final = (FourCardCategory.PAIR << CATEGORY_SHIFT) | (ACE << 12)
KING_HIGH: Final = (FourCardCategory.HIGH_CARD << CATEGORY_SHIFT) | (KING << 12)


def hand_of(value: int) -> Hand:
    """Return the hand with a value."""
    ranks = tuple(rank for shift in (12, 8, 4, 0) if (rank := (value >> shift) & 15))
    return Hand(FourCardCategory(value >> CATEGORY_SHIFT), ranks)


def value_of(hand: Hand) -> int:
    """Return the value of a hand."""
    ranks = sum(rank << shift for rank, shift in zip(hand.ranks, (12, 8, 4, 0), strict=False))
    return hand.category << CATEGORY_SHIFT | ranks


def pay_classes(values: Int32Array) -> Int64Array:
    """Return the pay class of each value."""
    category = values.astype(np.int64) >> CATEGORY_SHIFT
    first_rank = (values.astype(np.int64) >> 12) & 15
    classes = category + (TWO_PAIR_CLASS - FourCardCategory.TWO_PAIR)
    classes[category == FourCardCategory.HIGH_CARD] = 0
    pairs = category == FourCardCategory.PAIR
    classes[pairs] = FIRST_PAIR_CLASS + first_rank[pairs] - 2
    classes[(category == FourCardCategory.FOUR_OF_A_KIND) & (first_rank == ACE)] = FOUR_ACES_CLASS
    return classes


def class_atoms(values: Int32Array, multiplicity: Int8Array) -> Atoms:
    """Count five-card hands by their set of row names."""
    totals: Int64Array = np.zeros(PAY_CLASSES, dtype=np.int64)
    np.add.at(totals, pay_classes(values), multiplicity.astype(np.int64))
    atoms: Counter[Names] = Counter()
    for names, count in zip(CLASS_NAMES, totals, strict=True):
        atoms[names] += int(count)
    return atoms


def rank_of(card: int) -> int:
    """Return the rank of a card, 2..14."""
    return card // 4 + 2


def pack(cards: Iterable[int]) -> int:
    """Pack cards into an integer, six bits each, lowest card first."""
    packed = 0
    for position, card in enumerate(sorted(cards)):
        packed |= card << (6 * position)
    return packed


def suit_masks(cards: Sequence[int]) -> list[int]:
    """Return the ranks of each suit as bits."""
    masks = [0, 0, 0, 0]
    for card in cards:
        masks[card % 4] |= 1 << (card // 4)
    return masks


def canonical_hand(cards: Sequence[int]) -> int:
    """Return the packed hand that represents this hand under any renaming of suits."""
    masks = sorted(suit_masks(cards), reverse=True)
    return pack(4 * rank + suit for suit, mask in enumerate(masks) for rank in range(13) if mask >> rank & 1)
