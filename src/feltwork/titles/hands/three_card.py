"""Three-card hands from a shoe, where the same card may appear twice: blackjack side bets."""

from collections.abc import Iterable
from enum import IntEnum

from feltwork.titles.cards.card import Card
from feltwork.titles.hands.category import Hand, best_hand, ladder_of


class ThreeCardCategory(IntEnum):
    """From lowest to highest, in the usual order of three-card poker."""

    HIGH_CARD = 0
    PAIR = 1
    FLUSH = 2
    STRAIGHT = 3
    THREE_OF_A_KIND = 4
    STRAIGHT_FLUSH = 5


LADDER = ladder_of(ThreeCardCategory)


def three_card_hand(cards: Iterable[Card]) -> Hand:
    """Return the hand that three cards make; straights run from A-2-3 to Q-K-A."""
    return best_hand(cards, size=3, ladder=LADDER)


def of_one_suit(cards: Iterable[Card]) -> bool:
    """Whether all cards share a suit."""
    return len({card.suit for card in cards}) == 1


def of_one_color(cards: Iterable[Card]) -> bool:
    """Whether all cards are red, or all black."""
    return len({card.suit.is_red for card in cards}) == 1


def of_one_rank(cards: Iterable[Card]) -> bool:
    """Whether all cards share a rank."""
    return len({card.rank for card in cards}) == 1
