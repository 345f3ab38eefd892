"""Five-card poker hands, also the best five of six or seven."""

from collections.abc import Iterable
from enum import IntEnum

from feltwork.cards.card import ACE, KING, TEN, Card
from feltwork.hands import category as find
from feltwork.hands.category import Hand, Ladder, Rows, best_hand


class FiveCardCategory(IntEnum):
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
    (FiveCardCategory.STRAIGHT_FLUSH, find.straight_flush),
    (FiveCardCategory.FOUR_OF_A_KIND, find.four_of_a_kind),
    (FiveCardCategory.FULL_HOUSE, find.full_house),
    (FiveCardCategory.FLUSH, find.flush),
    (FiveCardCategory.STRAIGHT, find.straight),
    (FiveCardCategory.THREE_OF_A_KIND, find.three_of_a_kind),
    (FiveCardCategory.TWO_PAIR, find.two_pair),
    (FiveCardCategory.PAIR, find.pair),
    (FiveCardCategory.HIGH_CARD, find.high_card),
)


def best_five(cards: Iterable[Card]) -> Hand:
    """The best five-card hand in five, six or seven cards."""
    return best_hand(cards, size=5, ladder=LADDER)


ROYAL_FLUSH = Hand(FiveCardCategory.STRAIGHT_FLUSH, (ACE,))
THREE_TENS = Hand(FiveCardCategory.THREE_OF_A_KIND, (TEN,))
ACE_KING = Hand(FiveCardCategory.HIGH_CARD, (ACE, KING))

ROWS: Rows = {
    "royal_flush": lambda hand: hand == ROYAL_FLUSH,
    "straight_flush": lambda hand: hand.category == FiveCardCategory.STRAIGHT_FLUSH,
    "four_of_a_kind": lambda hand: hand.category == FiveCardCategory.FOUR_OF_A_KIND,
    "full_house": lambda hand: hand.category == FiveCardCategory.FULL_HOUSE,
    "flush": lambda hand: hand.category == FiveCardCategory.FLUSH,
    "straight": lambda hand: hand.category == FiveCardCategory.STRAIGHT,
    "three_of_a_kind": lambda hand: hand.category == FiveCardCategory.THREE_OF_A_KIND,
    "two_pair": lambda hand: hand.category == FiveCardCategory.TWO_PAIR,
    "pair": lambda hand: hand.category == FiveCardCategory.PAIR,
    "high_card": lambda hand: hand.category == FiveCardCategory.HIGH_CARD,
}
