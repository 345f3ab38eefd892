"""Five-card poker hands, also the best five of six or seven."""

from collections.abc import Iterable
from enum import IntEnum

from feltwork.cards.card import ACE, KING, TEN, Card
from feltwork.hands import category as find
from feltwork.hands.category import Hand, Ladder, Rows, best_hand


class Category(IntEnum):
    """From lowest to highest; a royal flush is the highest straight flush."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8


LADDER: Ladder = (
    (Category.STRAIGHT_FLUSH, find.straight_flush),
    (Category.FOUR_OF_A_KIND, find.four_of_a_kind),
    (Category.FULL_HOUSE, find.full_house),
    (Category.FLUSH, find.flush),
    (Category.STRAIGHT, find.straight),
    (Category.THREE_OF_A_KIND, find.three_of_a_kind),
    (Category.TWO_PAIR, find.two_pair),
    (Category.PAIR, find.pair),
    (Category.HIGH_CARD, find.high_card),
)


def best_five(cards: Iterable[Card]) -> Hand:
    """The best five-card hand in five, six or seven cards."""
    return best_hand(cards, size=5, ladder=LADDER)


ROYAL_FLUSH = Hand(Category.STRAIGHT_FLUSH, (ACE,))
THREE_TENS = Hand(Category.THREE_OF_A_KIND, (TEN,))
ACE_KING = Hand(Category.HIGH_CARD, (ACE, KING))

ROWS: Rows = {
    "royal_flush": lambda hand: hand == ROYAL_FLUSH,
    "straight_flush": lambda hand: hand.category == Category.STRAIGHT_FLUSH,
    "four_of_a_kind": lambda hand: hand.category == Category.FOUR_OF_A_KIND,
    "full_house": lambda hand: hand.category == Category.FULL_HOUSE,
    "flush": lambda hand: hand.category == Category.FLUSH,
    "straight": lambda hand: hand.category == Category.STRAIGHT,
    "three_of_a_kind": lambda hand: hand.category == Category.THREE_OF_A_KIND,
    "two_pair": lambda hand: hand.category == Category.TWO_PAIR,
    "pair": lambda hand: hand.category == Category.PAIR,
    "high_card": lambda hand: hand.category == Category.HIGH_CARD,
}
