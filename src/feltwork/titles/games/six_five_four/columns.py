"""6-5-4 Poker: what decides the pays of many rounds."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from feltwork.titles.hands.columns import Ints


def columns(cards: "Mapping[str, Ints]") -> "Sequence[Ints]":
    """Number the rows of the player's hand, and which hand is higher after the dealer's discards."""
    import numpy as np

    from feltwork.titles.cards.card import TEN
    from feltwork.titles.hands.columns import kinds, values

    table = cards["dealer"]
    high = table[:, :2] >> 2 >= TEN - 2
    dealer = np.select(
        [~high[:, 0], ~high[:, 1]],
        [values(table, 4), values(table[:, 1:], 4)],
        values(table[:, 2:], 4),
    )[:, None]
    player = values(cards["seats"], 4)
    return kinds(player, 4), np.sign(player - dealer)
