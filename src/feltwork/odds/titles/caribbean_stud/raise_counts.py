"""Caribbean Stud: every player hand and dealer's up card against all dealer hands, independent of pays.

The pays of the Raise change the decision on a few hands only. The others are added up: those that raise even
if a win costs the Raise, and those that cannot beat a dealer who qualifies.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from feltwork.odds.count_cache import Arrays, kept_arrays
from feltwork.odds.four_card.classes import FULL_DECK, Int32Array, Int64Array, pack, suit_masks
from feltwork.odds.lazy_numpy import np
from feltwork.titles.cards.card import ACE, KING

if TYPE_CHECKING:
    import numpy.typing as npt

Number: TypeAlias = "int | npt.NDArray[Any]"
#: The dealer's hand: not qualified, or lower than, equal to or higher than the player's.
UNQUALIFIED, LOWER, EQUAL, HIGHER = range(4)
#: Pay classes are the categories of a value; a royal flush has its own.
CATEGORY_SHIFT: Final = 26
PAY_CLASSES: Final = 10
#: The lowest value of ace-king, with which the dealer qualifies: two ranks of a high card.
QUALIFYING: Final = (1 << ACE - 2 | 1 << KING - 2) << 13
FIRST_PAIR: Final = 1 << CATEGORY_SHIFT
#: Mark in ``ace_king_cases`` for an up card that the player holds.
OWN: Final = 65_535


@dataclass(frozen=True, slots=True)
class RaiseCounts:
    """Deals by pay class and by the dealer's hand."""

    #: Deals of the hands that always raise, by pay class and outcome.
    raised: Int64Array
    #: Deals of the hands that never raise, by pay class.
    folded: Int64Array
    #: One row for each case of ace-king and each case that a pay can decide: pay class, the four outcomes,
    #: and the number of hands and up cards.
    cases: Int64Array
    #: Hands with ace-king and no pair, packed, up to a renaming of suits; and the case of each up card.
    ace_king: Int32Array
    ace_king_cases: "npt.NDArray[np.uint16]"

    def case(self, cards: Sequence[int], up: int) -> int:
        """Return the case of a hand with ace-king and no pair."""
        masks = suit_masks(cards)
        order = sorted(range(4), key=lambda suit: -masks[suit])
        renamed = [4 * (card // 4) + order.index(card % 4) for card in (*cards, up)]
        (place,) = np.flatnonzero(self.ace_king == pack(renamed[:5]))
        return int(self.ace_king_cases[place, renamed[5]])


def count(deck: Sequence[int] = FULL_DECK) -> Arrays:
    """Count all deals; the tests use smaller decks with all four suits of each rank."""
    from feltwork.odds.kernels.four_card import mark_canonical
    from feltwork.odds.kernels.stud import rank_hands, sweep_up_cards

    cards = np.array(sorted(deck), dtype=np.int64)
    hands = np.empty(comb(len(cards), 5), dtype=np.int32)
    values = np.empty_like(hands)
    rank_hands(cards, hands, values)
    order = np.argsort(values, kind="stable")
    hands, values = hands[order], values[order]
    multiplicity = np.empty(len(hands), dtype=np.int8)
    mark_canonical(hands, 0, multiplicity)
    canonical = multiplicity > 0
    players, player_values = hands[canonical], values[canonical]
    below, up_to, unqualified = (np.full((len(players), 52), -1, dtype=np.int32) for _ in range(3))
    sweep_up_cards(cards, hands, values, players, player_values, QUALIFYING, below, up_to, unqualified)
    row, up = np.nonzero(below >= 0)
    qualifies = player_values[row] >= QUALIFYING
    outcomes = np.empty((4, len(row)), dtype=np.int64)
    outcomes[UNQUALIFIED] = unqualified[row, up]
    outcomes[LOWER] = np.where(qualifies, below[row, up] - unqualified[row, up], 0)
    outcomes[EQUAL] = np.where(qualifies, up_to[row, up] - below[row, up], 0)
    outcomes[HIGHER] = comb(len(cards) - 6, 4) - outcomes[:HIGHER].sum(axis=0)
    return _gathered(players, player_values, multiplicity[canonical], (row, up), outcomes)


def _gathered(
    players: Int32Array,
    values: Int32Array,
    multiplicity: "npt.NDArray[np.int8]",
    cells: "tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]",
    outcomes: Int64Array,
) -> Arrays:
    """Add up the cells that no pay can decide, and list the rest; a cell is a player hand and an up card."""
    row, up = cells
    dealer_hands = int(outcomes[:, 0].sum())
    classes, times = values[row] >> CATEGORY_SHIFT, multiplicity[row].astype(np.int64)
    first, last = np.searchsorted(values, [QUALIFYING, FIRST_PAIR])
    is_ace_king = (row >= first) & (row < last)
    gains = raise_gain(outcomes, -1, 1) > 0
    always = gains & ~is_ace_king
    never = ~gains & ~is_ace_king & (outcomes[LOWER] == 0)
    decided = ~always & ~never
    raised = np.zeros((PAY_CLASSES, 4), dtype=np.int64)
    folded = np.zeros(PAY_CLASSES, dtype=np.int64)
    for outcome in range(4):
        np.add.at(raised[:, outcome], classes[always], (outcomes[outcome] * times)[always])
    np.add.at(folded, classes[never], dealer_hands * times[never])
    table = np.vstack([classes[decided], outcomes[:, decided]]).T
    cases, number = np.unique(table, axis=0, return_inverse=True)
    weights = np.zeros(len(cases), dtype=np.int64)
    np.add.at(weights, number.ravel(), times[decided])
    # Sorted by pay class, the cases of ace-king come first, and their numbers fit in 16 bits.
    numbered = np.full((last - first, 52), OWN, dtype=np.uint16)
    numbered[row[is_ace_king] - first, up[is_ace_king]] = number.ravel()[is_ace_king[decided]]
    return {
        "raised": raised,
        "folded": folded,
        "cases": np.column_stack([cases, weights]),
        "ace_king": players[first:last],
        "ace_king_cases": numbered,
    }


def raise_gain(outcomes: "npt.NDArray[Any]", wins: Number, per: Number) -> "npt.NDArray[Any]":
    """Return the gain of a Raise over a fold, times dealer hands and ``per``; a win pays ``wins``:``per``."""
    even = 2 * outcomes[UNQUALIFIED] + 2 * outcomes[LOWER] + outcomes[EQUAL] - 2 * outcomes[HIGHER]
    return np.asarray(per * even + 2 * wins * outcomes[LOWER])


@cache
def cached_counts() -> RaiseCounts:
    """Load the counts of the full deck, or count them once."""
    arrays = kept_arrays("caribbean_stud", count, of=(__name__,))
    return RaiseCounts(**arrays)
