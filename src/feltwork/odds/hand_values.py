"""Values of five-card hands as integers, for Python loops and compiled kernels alike.

A hand's value is `category << 26 | primary << 13 | kickers`, whose two fields are sets of ranks (bit 0 =
two): the higher value wins, and equal values tie. Sets compare as numbers exactly as kickers compare one by
one. A card is `4 * (rank - 2) + suit` with ranks 2..14 (ace 14) and suits c d h s = 0..3.
"""

from collections.abc import Iterable, Sequence

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
#: The lowest values of three tens, a straight and a flush.
THREE_TENS_VALUE = THREE_OF_A_KIND << CATEGORY_SHIFT | 1 << 8 << PRIMARY_SHIFT
STRAIGHT_VALUE = STRAIGHT << CATEGORY_SHIFT
FLUSH_VALUE = FLUSH << CATEGORY_SHIFT


def top_bit(ranks: int) -> int:
    """Return the highest bit of a set of ranks."""
    while ranks & (ranks - 1):
        ranks &= ranks - 1
    return ranks


def top_bits(ranks: int, keep: int) -> int:
    """Return the ``keep`` highest bits of a set of ranks."""
    size = 0
    rest = ranks
    while rest:
        rest &= rest - 1
        size += 1
    for _ in range(size - keep):
        ranks &= ranks - 1
    return ranks


def straight_top(ranks: int) -> int:
    """Return the top rank of the best straight in a set of ranks as a bit, or 0; the ace also counts low."""
    shifted = ranks << 1 | ranks >> 12
    return top_bit(shifted & shifted >> 1 & shifted >> 2 & shifted >> 3 & shifted >> 4) << 3 & ALL_RANKS


def flush_value(ranks: int) -> int:
    """Return the value of five or more cards of one suit, from the ranks held in it."""
    top = straight_top(ranks)
    if top:
        category = ROYAL_FLUSH if top == 1 << 12 else STRAIGHT_FLUSH
        return category << CATEGORY_SHIFT | top << PRIMARY_SHIFT
    return FLUSH << CATEGORY_SHIFT | top_bits(ranks, 5) << PRIMARY_SHIFT


def ranks_value(one: int, two: int, three: int, four: int) -> int:  # noqa: PLR0911 - one for each category
    """Return the value without suits, from the ranks held at least once, twice, three times, four times."""
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


def value_of_ranks(ranks: Iterable[int]) -> int:
    """Return the value of five to seven cards without suits; the rank of a two is 0."""
    one = two = three = four = 0
    for rank in ranks:
        bit = 1 << rank
        four |= three & bit
        three |= two & bit
        two |= one & bit
        one |= bit
    return ranks_value(one, two, three, four)


def value_of(cards: Sequence[int]) -> int:
    """Return the value of the best five of five, six or seven cards."""
    # Seven cards with five ranks of one suit leave no room for a full house or four of a kind.
    for suit in range(4):
        ranks = sum(1 << (card >> 2) for card in cards if card & 3 == suit)
        if ranks.bit_count() >= 5:
            return flush_value(ranks)
    return value_of_ranks(card >> 2 for card in cards)
