"""A shoe: decks in a known order, drawn from the front."""

from collections import Counter
from collections.abc import Iterable

from feltwork.titles.cards.card import DECK, Card


class Shoe:
    """Cards in a fixed order; the caller shuffles."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self._cards = list(cards)
        self._next = 0

    def draw(self, count: int = 1) -> tuple[Card, ...]:
        """Draw the next cards."""
        if count > self.remaining:
            raise ValueError(f"the shoe holds {self.remaining} more cards; {count} were requested")
        drawn = tuple(self._cards[self._next : self._next + count])
        self._next += count
        return drawn

    @property
    def remaining(self) -> int:
        """The number of cards left."""
        return len(self._cards) - self._next


def decks_of(count: int) -> tuple[Card, ...]:
    """Return the cards of several decks, unshuffled."""
    return DECK * count


def dealt_too_often(cards: Iterable[Card], decks: int) -> tuple[Card, ...]:
    """Return the cards that appear more often than the decks contain them."""
    return tuple(card for card, times in Counter(cards).items() if times > decks)
