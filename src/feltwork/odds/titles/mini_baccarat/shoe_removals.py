"""Counts of a baccarat shoe without one card, for each card of the deck."""

from feltwork.odds.titles.mini_baccarat.counts import BaccaratCounts, count_shoe
from feltwork.titles.cards.card import DECK, Card


def baccarat_without_one(decks: int) -> dict[Card, BaccaratCounts]:
    """Count the rounds of the shoe without one card, for each card."""
    return {
        card: count_shoe(tuple(decks - (place == gone) for place in range(52)))
        for gone, card in enumerate(DECK)
    }
