"""Four-card poker hands: three of a kind beats a flush, a flush beats a straight [C4.overview.ranking]."""

from collections.abc import Iterable
from enum import IntEnum

from feltwork.cards.card import ACE, KING, QUEEN, Card
from feltwork.hands import category as find
from feltwork.hands.category import Hand, Ladder, Rows, best_hand


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


LADDER: Ladder = (
    (FourCardCategory.FOUR_OF_A_KIND, find.four_of_a_kind),
    (FourCardCategory.STRAIGHT_FLUSH, find.straight_flush),
    (FourCardCategory.THREE_OF_A_KIND, find.three_of_a_kind),
    (FourCardCategory.FLUSH, find.flush),
    (FourCardCategory.STRAIGHT, find.straight),
    (FourCardCategory.TWO_PAIR, find.two_pair),
    (FourCardCategory.PAIR, find.pair),
    (FourCardCategory.HIGH_CARD, find.high_card),
)


def best_four(cards: Iterable[Card]) -> Hand:
    """The best four-card hand in four, five or six cards."""
    return best_hand(cards, size=4, ladder=LADDER)


FOUR_ACES = Hand(FourCardCategory.FOUR_OF_A_KIND, (ACE,))
PAIR_OF_ACES = Hand(FourCardCategory.PAIR, (ACE,))
PAIR_OF_QUEENS = Hand(FourCardCategory.PAIR, (QUEEN,))
KING_HIGH = Hand(FourCardCategory.HIGH_CARD, (KING,))

ROWS: Rows = {
    "four_aces": lambda hand: hand >= FOUR_ACES,
    "four_of_a_kind": lambda hand: hand.category == FourCardCategory.FOUR_OF_A_KIND,
    "straight_flush_or_better": lambda hand: hand.category >= FourCardCategory.STRAIGHT_FLUSH,
    "straight_flush": lambda hand: hand.category == FourCardCategory.STRAIGHT_FLUSH,
    "three_of_a_kind": lambda hand: hand.category == FourCardCategory.THREE_OF_A_KIND,
    "flush": lambda hand: hand.category == FourCardCategory.FLUSH,
    "straight": lambda hand: hand.category == FourCardCategory.STRAIGHT,
    "two_pair": lambda hand: hand.category == FourCardCategory.TWO_PAIR,
    "queens_or_better": lambda hand: hand >= PAIR_OF_QUEENS,
}
