"""Atoms: the number of deals for each set of row names, counted through the rules themselves.

Every paytable pays hands with the same names alike, so these counts price any paytable of a bet.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import combinations, combinations_with_replacement, groupby, product
from math import comb, factorial, prod
from typing import TYPE_CHECKING, TypeAlias

from feltwork.titles.cards.card import DECK, Card

if TYPE_CHECKING:
    from feltwork.titles.title import Sight

Names: TypeAlias = frozenset[str]
Atoms: TypeAlias = Mapping[Names, int]


def count_sights(decks: int, groups: tuple[int, ...], names: "Callable[[Sight], Names]") -> Atoms:
    """Count every way to draw groups of cards from a shoe; order within a group does not matter."""
    atoms: Counter[Names] = Counter()
    for (called, pattern), sights in _patterns(groups, names).items():
        atoms[called] += sights * prod(comb(max(decks - gone, 0), copies) for gone, copies in pattern)
    return atoms


#: For each card in a group: the number of copies in earlier groups, and in this group.
_Pattern: TypeAlias = tuple[tuple[int, int], ...]


@cache
def _patterns(groups: tuple[int, ...], names: "Callable[[Sight], Names]") -> Counter[tuple[Names, _Pattern]]:
    """Count sights by name and by how cards repeat; the number of decks affects nothing else."""
    patterns: Counter[tuple[Names, _Pattern]] = Counter()
    choices = [list(combinations_with_replacement(range(52), size)) for size in groups]
    for kinds in product(*choices):
        sight = tuple(tuple([DECK[kind] for kind in group]) for group in kinds)
        patterns[names(sight), _pattern(kinds)] += 1
    return patterns


def _pattern(kinds: tuple[tuple[int, ...], ...]) -> _Pattern:
    earlier: list[int] = []
    pattern = []
    for group in kinds:
        pattern += [(earlier.count(kind), group.count(kind)) for kind in dict.fromkeys(group)]
        earlier += group
    return tuple(sorted(pattern))


def count_hands(size: int, names: Callable[[tuple[Card, ...]], Names]) -> Atoms:
    """Count every hand of a size from one deck; the names must not depend on specific suits."""
    atoms: Counter[Names] = Counter()
    for cards, ways in suit_classes(size):
        atoms[names(cards)] += ways
    return atoms


def suit_classes(size: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Yield every hand of a size up to a permutation of suits, with the number of hands it represents."""
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
    """Count the ways to assign four sets of ranks to the four suits."""
    ways = factorial(4)
    for distinct in set(suits):
        ways //= factorial(suits.count(distinct))
    return ways


def _partitions(total: int, *, parts: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write a total as a non-increasing sequence."""
    if parts == 0:
        if total == 0:
            yield ()
        return
    for first in range(min(total, most), -1, -1):
        for rest in _partitions(total - first, parts=parts - 1, most=first):
            yield (first, *rest)
