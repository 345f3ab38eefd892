"""Five-card poker hands, also the best five of six or seven."""

from collections.abc import Iterable
from enum import IntEnum

from feltwork.titles.cards.card import ACE, KING, TEN, Card
from feltwork.titles.hands.category import Hand, Rows, best_hand, ladder_of, rows_of


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


LADDER = ladder_of(FiveCardCategory)


def best_five(cards: Iterable[Card]) -> Hand:
    """Return the best five-card hand in five, six or seven cards."""
    return best_hand(cards, size=5, ladder=LADDER)


ROYAL_FLUSH = Hand(FiveCardCategory.STRAIGHT_FLUSH, (ACE,))
THREE_TENS = Hand(FiveCardCategory.THREE_OF_A_KIND, (TEN,))
ACE_KING = Hand(FiveCardCategory.HIGH_CARD, (ACE, KING))

ROWS: Rows = {"royal_flush": lambda hand: hand == ROYAL_FLUSH, **rows_of(FiveCardCategory)}
