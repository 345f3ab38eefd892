"""Card points in baccarat and blackjack."""

from collections.abc import Iterable, Sequence

from feltwork.titles.cards.card import ACE, TEN, Card


def baccarat_value(card: Card) -> int:
    """Return the baccarat points: ace 1, tens and faces 0, all others their pips."""
    if card.rank == ACE:
        return 1
    return card.rank if card.rank < TEN else 0


def baccarat_total(cards: Iterable[Card]) -> int:
    """The last digit of the sum."""
    return sum(map(baccarat_value, cards)) % 10


def is_natural(cards: Sequence[Card]) -> bool:
    """Eight or nine in the first two cards [DB.dragon.natural, DB.aquarius.8, DB.nexus.natural]."""
    return len(cards) == 2 and baccarat_total(cards) >= 8


def blackjack_value(card: Card) -> int:
    """Return the blackjack points: ace 1 (the total may count it as 11), faces 10, all others their pips."""
    return 1 if card.rank == ACE else min(card.rank, 10)


def blackjack_total(cards: Iterable[Card]) -> tuple[int, bool]:
    """Return the best total, and whether it is soft: an ace counts as 11."""
    values = [blackjack_value(card) for card in cards]
    total = sum(values)
    soft = 1 in values and total <= 11
    return (total + 10, True) if soft else (total, False)


def is_blackjack(cards: Sequence[Card]) -> bool:
    """Whether the cards are an ace and a ten-value card, as the first two."""
    return len(cards) == 2 and blackjack_total(cards)[0] == 21
