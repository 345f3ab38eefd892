"""Crazy 4 Poker: outcomes of every player hand against all dealer hands.

Nothing here depends on a paytable or on the strategy, so the arrays are cached and repriced at will.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from math import comb
from typing import Final

from feltwork.odds.atoms import Atoms
from feltwork.odds.count_cache import Arrays, kept_arrays, kept_view
from feltwork.odds.four_card.classes import FULL_DECK, KING_HIGH, Int8Array, Int32Array, class_atoms
from feltwork.odds.lazy_numpy import np
from feltwork.titles.hands.four_card import FourCardCategory

# Rows of ``outcomes`` for the player: dealer not qualified, then qualified.
UNQUALIFIED_WIN, UNQUALIFIED_TIE, UNQUALIFIED_LOSS, WIN, TIE, LOSS = range(6)
OUTCOMES: Final = 6

# The rows of ``dealer_beaten``: categories that a Bad Beat pays, lowest first.
BAD_BEAT_CATEGORIES: Final = tuple(
    category for category in FourCardCategory if category >= FourCardCategory.TWO_PAIR
)


@dataclass(frozen=True, slots=True)
class Crazy4Counts:
    """One column per class of player hands, sorted by value."""

    hands: Int32Array
    values: Int32Array
    multiplicity: Int8Array
    outcomes: Int32Array
    dealer_beaten: Int32Array
    dealer_hands: int

    def arrays(self) -> Arrays:
        """Return named arrays for the cache."""
        return {field.name: np.asarray(getattr(self, field.name)) for field in fields(self)}

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> "Crazy4Counts":
        """Read named arrays from the cache."""
        return cls(**{**arrays, "dealer_hands": int(arrays["dealer_hands"])})  # type: ignore[arg-type]


def count(deck: Sequence[int] = FULL_DECK) -> Crazy4Counts:
    """Count all deals; the tests use smaller decks with all four suits of each rank."""
    from feltwork.odds.four_card.hands import player_hands, rank_all
    from feltwork.odds.kernels.four_card import sweep_fives

    dealer = rank_all(deck, size=5)
    players = player_hands(dealer, fixed_suits=0)
    size = len(players.hands)
    marks = np.array([KING_HIGH, *(category << 16 for category in BAD_BEAT_CATEGORIES)], dtype=np.int32)
    below, up_to = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.int32)
    below_mark = np.empty((len(marks), size), dtype=np.int32)
    sweep_fives(
        dealer.hands,
        dealer.values,
        players.hands,
        players.values,
        players.values,
        marks,
        below,
        up_to,
        below_mark,
    )
    dealer_hands = comb(len(deck) - 5, 5)
    unqualified, starts = below_mark[0], below_mark[1:]
    outcomes = np.empty((OUTCOMES, size), dtype=np.int32)
    outcomes[UNQUALIFIED_WIN] = np.minimum(below, unqualified)
    outcomes[UNQUALIFIED_TIE] = np.minimum(up_to, unqualified) - outcomes[UNQUALIFIED_WIN]
    outcomes[UNQUALIFIED_LOSS] = unqualified - np.minimum(up_to, unqualified)
    outcomes[WIN] = below - outcomes[UNQUALIFIED_WIN]
    outcomes[TIE] = up_to - below - outcomes[UNQUALIFIED_TIE]
    outcomes[LOSS] = dealer_hands - up_to - outcomes[UNQUALIFIED_LOSS]
    ends = np.vstack([starts[1:], np.full((1, size), dealer_hands, dtype=np.int32)])
    dealer_beaten = np.maximum(np.minimum(below, ends) - starts, 0)
    return Crazy4Counts(
        players.hands, players.values, players.multiplicity, outcomes, dealer_beaten, dealer_hands
    )


@cache
def cached_counts() -> Crazy4Counts:
    """Load the counts of the full deck, or count them once."""
    return Crazy4Counts.from_arrays(kept_arrays("crazy_4", lambda: count().arrays(), of=(__name__,)))


@cache
def kept_outcomes() -> tuple[list[int], memoryview]:
    """Load only the hands and outcomes of the full deck, without numpy."""
    hands, outcomes = (
        kept_view("crazy_4", member, lambda: count().arrays(), of=(__name__,))
        for member in ("hands", "outcomes")
    )
    return hands.tolist(), outcomes


@cache
def best_four_atoms() -> Atoms:
    """Count all five-card hands by the row names of their best four."""
    return class_atoms(cached_counts().values, cached_counts().multiplicity)
