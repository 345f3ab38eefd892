"""Texas Hold'em Bonus: what decides the pays of many rounds."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from feltwork.titles.hands.columns import Ints


def columns(cards: "Mapping[str, Ints]") -> "Sequence[Ints]":
    """Number the rows of the player's hand, which hand is higher, and the hole cards that the Bonus pays."""
    import numpy as np

    from feltwork.titles.cards.card import ACE
    from feltwork.titles.hands.columns import kinds, values

    seats, dealer = cards["seats"], cards["dealer"]
    board = np.broadcast_to(cards["board"][:, None], (*seats.shape[:2], 5))
    player = values(np.concatenate((seats, board), axis=2), 5)
    other = values(np.concatenate((dealer, cards["board"]), axis=1), 5)[:, None]
    ranks = np.sort(seats >> 2, axis=2)
    suited = seats[..., 0] & 3 == seats[..., 1] & 3
    aces = (dealer >> 2 == ACE - 2).all(axis=1)[:, None]
    return kinds(player, 5), np.sign(player - other), ranks[..., 0] * 13 + ranks[..., 1], suited * 2 + aces
