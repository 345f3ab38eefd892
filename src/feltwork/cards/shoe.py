"""A shoe: some decks in a known order, from which cards are drawn one by one."""

from collections import Counter
from collections.abc import Iterable

from feltwork.cards.card import DECK, Card


class Shoe:
    """Cards in a fixed order. Whoever shuffles does it before: nothing here rolls dice."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self._cards = list(cards)
        self._next = 0

    def draw(self, count: int = 1) -> tuple[Card, ...]:
        """Draw the next cards."""
        if count > self.remaining:
            raise ValueError(f"the shoe holds {self.remaining} more cards, {count} were asked for")
        drawn = tuple(self._cards[self._next : self._next + count])
        self._next += count
        return drawn

    @property
    def remaining(self) -> int:
        """How many cards are still to come."""
        return len(self._cards) - self._next


def decks_of(count: int) -> tuple[Card, ...]:
    """All cards of so many decks, unshuffled."""
    return DECK * count


def dealt_too_often(cards: Iterable[Card], decks: int) -> tuple[Card, ...]:
    """Cards that appear more often than the decks hold them: such a round cannot have been dealt."""
    return tuple(card for card, times in Counter(cards).items() if times > decks)
