"""Whole spaces of hands, small enough to walk: suits are interchangeable, so one hand stands for many."""

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, groupby, product
from math import factorial

from feltwork.cards.card import DECK, Card


def suit_classes(size: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Every hand of so many cards up to a permutation of suits, with how many hands it stands for."""
    for sizes in _partitions(size, parts=4, most=13):
        groups = [(count, len(list(equal))) for count, equal in groupby(sizes)]
        choices = (
            combinations_with_replacement(list(combinations(range(13), n)), times) for n, times in groups
        )
        for chosen in product(*choices):
            suits = [ranks for group in chosen for ranks in group]
            cards = tuple(DECK[4 * rank + suit] for suit, ranks in enumerate(suits) for rank in ranks)
            yield cards, _arrangements(suits)


def _arrangements(suits: list[tuple[int, ...]]) -> int:
    """In how many ways the four sets of ranks can be given to the four suits."""
    ways = factorial(4)
    for distinct in set(suits):
        ways //= factorial(suits.count(distinct))
    return ways


def _partitions(total: int, *, parts: int, most: int) -> Iterator[tuple[int, ...]]:
    """Ways to write a total as so many numbers, none above the one before."""
    if parts == 0:
        if total == 0:
            yield ()
        return
    for first in range(min(total, most), -1, -1):
        for rest in _partitions(total - first, parts=parts - 1, most=first):
            yield (first, *rest)
