"""Crazy 4 Poker: what decides the pays of many rounds."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from feltwork.titles.hands.columns import Ints


def columns(cards: "Mapping[str, Ints]") -> "Sequence[Ints]":
    """Number the rows of both hands, and which one is higher."""
    import numpy as np

    from feltwork.titles.hands.columns import kinds, values

    player, dealer = values(cards["seats"], 4), values(cards["dealer"], 4)[:, None]
    return kinds(player, 4), kinds(dealer, 4), np.sign(player - dealer)
