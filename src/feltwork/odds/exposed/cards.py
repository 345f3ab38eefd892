"""Cards that a player should not know: those of other hands, and the dealer's own, face down."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb

from feltwork.odds.four_card.classes import Int64Array
from feltwork.odds.lazy_numpy import np
from feltwork.titles.title import Decision

#: Places of `Decision.sees`: cards of other hands, and cards of the dealer that lie face down.
EXPOSED, HOLE = "exposed", "hole"


def exposed_places(*, most: int, hole: int) -> dict[str, tuple[int, ...]]:
    """Return how many such cards a player may tell: any number up to these."""
    return {EXPOSED: tuple(range(most + 1)), HOLE: tuple(range(hole + 1))}


def knows_more(decision: Decision) -> bool:
    """Whether the player has seen cards beyond those that the rules show."""
    return any(decision.sees.get(place) for place in (EXPOSED, HOLE))


def held_by_dealer(decision: Decision) -> list[int]:
    """Return the dealer's cards that were seen face down."""
    return [card.index for card in decision.sees.get(HOLE, ())]


def unseen(decision: Decision) -> list[int]:
    """Return the cards of one deck that the player has not seen, in order."""
    seen = {card.index for cards in (decision.cards, *decision.sees.values()) for card in cards}
    return [card for card in range(52) if card not in seen]


def completed(
    known: Sequence[int], hidden: Sequence[int], size: int, value: Callable[[Int64Array, Int64Array], None]
) -> Int64Array:
    """Value every hand that completes the known cards from the hidden ones."""
    chosen = np.array(hidden, dtype=np.int64)[subsets(len(hidden), size - len(known))]
    hands = np.empty((len(chosen), size), dtype=np.int64)
    hands[:, : len(known)] = known
    hands[:, len(known) :] = chosen
    values = np.empty(len(hands), dtype=np.int64)
    value(hands, values)
    return values


@lru_cache(maxsize=8)
def subsets(count: int, size: int) -> Int64Array:
    """List the subsets of a size of so many places, one a row."""
    return np.array(list(combinations(range(count), size)), dtype=np.int64).reshape(comb(count, size), size)
