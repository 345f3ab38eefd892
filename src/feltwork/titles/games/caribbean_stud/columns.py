"""Caribbean Stud Poker: what decides the pays of many rounds."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from feltwork.titles.hands.columns import Ints


def columns(cards: "Mapping[str, Ints]") -> "Sequence[Ints]":
    """Number the rows of both hands and of the table's best, and which hand is higher."""
    import numpy as np

    from feltwork.titles.hands.columns import kinds, values

    player, dealer = values(cards["seats"], 5), values(cards["dealer"], 5)[:, None]
    best = np.maximum(player.max(axis=1, keepdims=True), dealer)
    return kinds(player, 5), kinds(dealer, 5), kinds(best, 5), np.sign(player - dealer)
