"""All hands of a deck ranked by their best four, and canonical hands up to a renaming of suits."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from feltwork.odds.four_card.classes import Int8Array, Int32Array
from feltwork.odds.kernels.four_card import WORD, mark_canonical, rank_fives, rank_fours, sort_by_value


@dataclass(frozen=True, slots=True)
class RankedHands:
    """Packed hands with their values, sorted by value."""

    hands: Int32Array
    values: Int32Array

    def __len__(self) -> int:
        """The number of hands."""
        return len(self.hands)


@dataclass(frozen=True, slots=True)
class PlayerHands:
    """Canonical hands up to a renaming of suits, sorted by value."""

    hands: Int32Array
    values: Int32Array
    multiplicity: Int8Array

    def without(self, card: int) -> "PlayerHands":
        """Return the hands without a card."""
        keep = np.ones(len(self.hands), dtype=np.bool_)
        for place in range(5):
            keep &= (self.hands >> (6 * place)) & 63 != card
        return PlayerHands(self.hands[keep], self.values[keep], self.multiplicity[keep])


def _sorted(hands: Int32Array, values: Int32Array) -> RankedHands:
    sorted_hands, sorted_values = np.empty_like(hands), np.empty_like(values)
    sort_by_value(hands, values, sorted_hands, sorted_values)
    return RankedHands(sorted_hands, sorted_values)


def rank_all(deck: Sequence[int], *, size: int, kept_card: int | None = None) -> RankedHands:
    """Rank all hands of four or five cards of a deck, each together with an optional kept card."""
    cards = np.array(sorted(set(deck) - {kept_card}), dtype=np.int64)
    hands = np.empty(comb(len(cards), size), dtype=np.int32)
    values = np.empty_like(hands)
    rank = rank_fours if size == 4 else rank_fives
    rank(cards, 0 if kept_card is None else int(WORD[kept_card]), hands, values)
    return _sorted(hands, values)


def player_hands(ranked: RankedHands, *, fixed_suits: int) -> PlayerHands:
    """Keep the canonical hands; the first ``fixed_suits`` suits are distinct, the others may be renamed."""
    multiplicity = np.empty(len(ranked), dtype=np.int8)
    mark_canonical(ranked.hands, fixed_suits, multiplicity)
    keep = multiplicity > 0
    return PlayerHands(ranked.hands[keep], ranked.values[keep], multiplicity[keep])
