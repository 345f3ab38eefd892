"""Mini-Baccarat: what decides the pays of many rounds."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from feltwork.titles.hands.columns import Ints


def columns(cards: "Mapping[str, Ints]") -> "Sequence[Ints]":
    """Number the points of the first two cards and of the whole hand of either side, and the third card."""
    import numpy as np

    points = np.array([*range(2, 10), 0, 0, 0, 0, 1])
    numbers = []
    for side in ("player", "banker"):
        values = points[cards[side] >> 2]
        numbers += [values[:, :2].sum(axis=1) % 10, values.sum(axis=1) % 10]
    # The Banker's draw depends on the Player's last card.
    numbers.append(points[cards["player"][:, -1] >> 2])
    return [number[:, None] for number in numbers]
