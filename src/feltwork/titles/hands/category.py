"""The value of a poker hand, and the search for the best hand in a set of cards.

A *ladder* lists a game's categories from the highest down, each with its *finder*. The first finder that
succeeds names the best hand; best four of six and best five of seven differ in ladder and size only.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

from feltwork.titles.cards.card import ACE, Card, rank_letter


@dataclass(frozen=True, slots=True, order=True)
class Hand:
    """The value of a hand; hands of one ladder compare by category, then by the ranks that play."""

    category: IntEnum
    ranks: tuple[int, ...]

    def __str__(self) -> str:
        name = self.category.name.lower().replace("_", " ")
        return f"{name} {'-'.join(map(rank_letter, self.ranks))}"


class Holding:
    """A player's cards as ranks, suits and groups, computed once for all finders."""

    __slots__ = ("groups", "rank_mask", "suit_masks")

    def __init__(self, cards: Iterable[Card]) -> None:
        counts = [0] * (ACE + 1)
        suit_masks = [0, 0, 0, 0]
        for card in cards:
            counts[card.rank] += 1
            suit_masks[card.suit] |= 1 << card.rank
        self.suit_masks = suit_masks
        self.rank_mask = suit_masks[0] | suit_masks[1] | suit_masks[2] | suit_masks[3]
        #: (how many, rank), most cards first, then highest rank
        self.groups = sorted(((count, rank) for rank, count in enumerate(counts) if count), reverse=True)


Finder: TypeAlias = Callable[[Holding, int], tuple[int, ...]]
Ladder: TypeAlias = tuple[tuple[IntEnum, Finder], ...]
#: The hands that paytable rows name, each with the test that a hand must pass.
Rows: TypeAlias = dict[str, Callable[[Hand], bool]]


def names_of(hand: Hand, rows: Rows) -> frozenset[str]:
    """Return every row name that fits a hand; the order of the paytable decides which one pays."""
    return frozenset(name for name, passes in rows.items() if passes(hand))


def best_hand(cards: Iterable[Card], *, size: int, ladder: Ladder) -> Hand:
    """Return the best hand of ``size`` cards among the cards."""
    holding = Holding(cards)
    for category, find in ladder:
        ranks = find(holding, size)
        if ranks:
            return Hand(category, ranks)
    raise ValueError(f"a hand of {size} cards needs at least {size} cards")


def run_height(mask: int, length: int) -> int:
    """Return the top rank of the highest run of a length, or 0; an ace also counts below a two."""
    mask |= (mask >> ACE & 1) << 1
    runs = mask
    for shift in range(1, length):
        runs &= mask >> shift
    return runs.bit_length() + length - 2 if runs else 0


def _kickers(holding: Holding, used: tuple[int, ...], count: int) -> tuple[int, ...]:
    """Append the highest unused ranks; a rank held twice gives one kicker."""
    left = sorted((rank for _, rank in holding.groups if rank not in used), reverse=True)
    return used + tuple(left[:count])


def straight_flush(holding: Holding, size: int) -> tuple[int, ...]:
    """``size`` cards in sequence and of one suit."""
    height = max(run_height(mask, size) for mask in holding.suit_masks)
    return (height,) if height else ()


def flush(holding: Holding, size: int) -> tuple[int, ...]:
    """``size`` cards of one suit; the highest of them play."""
    best: tuple[int, ...] = ()
    for mask in holding.suit_masks:
        if mask.bit_count() >= size:
            suited = [rank for rank in range(ACE, 1, -1) if mask >> rank & 1]
            best = max(best, tuple(suited[:size]))
    return best


def straight(holding: Holding, size: int) -> tuple[int, ...]:
    """``size`` cards in sequence."""
    height = run_height(holding.rank_mask, size)
    return (height,) if height else ()


def four_of_a_kind(holding: Holding, size: int) -> tuple[int, ...]:
    """Four cards of a rank."""
    return _of_a_kind(holding, size, 4)


def three_of_a_kind(holding: Holding, size: int) -> tuple[int, ...]:
    """Three cards of a rank."""
    return _of_a_kind(holding, size, 3)


def pair(holding: Holding, size: int) -> tuple[int, ...]:
    """Two cards of a rank."""
    return _of_a_kind(holding, size, 2)


def high_card(holding: Holding, size: int) -> tuple[int, ...]:
    """Nothing but the highest cards."""
    ranks = _kickers(holding, (), size)
    return ranks if len(ranks) == size else ()


def _of_a_kind(holding: Holding, size: int, count: int) -> tuple[int, ...]:
    held, rank = holding.groups[0]
    return _kickers(holding, (rank,), size - count) if held >= count else ()


def full_house(holding: Holding, _size: int) -> tuple[int, ...]:
    """Three of one rank and two of another."""
    groups = holding.groups
    if groups[0][0] < 3 or len(groups) < 2 or groups[1][0] < 2:
        return ()
    return groups[0][1], max(rank for count, rank in groups[1:] if count >= 2)


def two_pair(holding: Holding, size: int) -> tuple[int, ...]:
    """Two of one rank and two of another."""
    groups = holding.groups
    if len(groups) < 2 or groups[1][0] < 2:
        return ()
    return _kickers(holding, (groups[0][1], groups[1][1]), size - 4)


_FINDERS = {
    finder.__name__.upper(): finder
    for finder in (
        straight_flush,
        four_of_a_kind,
        full_house,
        flush,
        straight,
        three_of_a_kind,
        two_pair,
        pair,
        high_card,
    )
}


def ladder_of(categories: type[IntEnum]) -> Ladder:
    """List the categories of a game from the highest down, each with the finder of its name."""
    return tuple((category, _FINDERS[category.name]) for category in reversed(categories))


def rows_of(categories: Iterable[IntEnum]) -> Rows:
    """Name a row for each category, such as ``full_house``."""
    return {category.name.lower(): _is_category(category) for category in categories}


def _is_category(category: IntEnum) -> Callable[[Hand], bool]:
    return lambda hand: hand.category == category
