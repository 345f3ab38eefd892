"""Two-card hands: pairs, runs and suited cards."""

from collections.abc import Sequence

from feltwork.titles.cards.card import Card
from feltwork.titles.hands.category import run_height


def is_pair(cards: Sequence[Card]) -> bool:
    """Whether two cards share a rank."""
    return cards[0].rank == cards[1].rank


def is_suited(cards: Sequence[Card]) -> bool:
    """Whether two cards share a suit."""
    return cards[0].suit == cards[1].suit


def is_run(cards: Sequence[Card]) -> bool:
    """Whether two cards have consecutive ranks, from A-2 to K-A."""
    return run_height(1 << cards[0].rank | 1 << cards[1].rank, 2) > 0


def holds(cards: Sequence[Card], *ranks: int) -> bool:
    """Whether the cards have exactly these ranks, in any order."""
    return sorted(card.rank for card in cards) == sorted(ranks)
