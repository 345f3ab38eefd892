"""Four-card poker hands: three of a kind beats a flush, a flush beats a straight [C4.overview.ranking]."""

from collections.abc import Iterable
from enum import IntEnum

from feltwork.titles.cards.card import ACE, KING, QUEEN, Card
from feltwork.titles.hands.category import Hand, Rows, best_hand, ladder_of, rows_of


class FourCardCategory(IntEnum):
    """From lowest to highest."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    STRAIGHT = 3
    FLUSH = 4
    THREE_OF_A_KIND = 5
    STRAIGHT_FLUSH = 6
    FOUR_OF_A_KIND = 7


LADDER = ladder_of(FourCardCategory)


def best_four(cards: Iterable[Card]) -> Hand:
    """Return the best four-card hand in four, five or six cards."""
    return best_hand(cards, size=4, ladder=LADDER)


FOUR_ACES = Hand(FourCardCategory.FOUR_OF_A_KIND, (ACE,))
PAIR_OF_ACES = Hand(FourCardCategory.PAIR, (ACE,))
PAIR_OF_QUEENS = Hand(FourCardCategory.PAIR, (QUEEN,))
KING_HIGH = Hand(FourCardCategory.HIGH_CARD, (KING,))

ROWS: Rows = {
    **rows_of(category for category in FourCardCategory if category >= FourCardCategory.TWO_PAIR),
    "four_aces": lambda hand: hand >= FOUR_ACES,
    "straight_flush_or_better": lambda hand: hand.category >= FourCardCategory.STRAIGHT_FLUSH,
    "queens_or_better": lambda hand: hand >= PAIR_OF_QUEENS,
}
