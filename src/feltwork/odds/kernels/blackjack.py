"""Compiled play of blackjack against one up card: the value of every hand by dynamic programming."""

from typing import Any

import numba
import numpy as np


@numba.njit(cache=True)  # type: ignore[misc,unused-ignore]
def _stand_value(left: Any, cards: int, total: int, tree: Any, clear: tuple[float, float]) -> float:
    """Return wins minus losses against the dealer's tree; everything else is a dealer bust."""
    no_blackjack, played = clear
    ways = np.empty(tree.shape[0])
    ways[0] = 1.0
    stood, balance = 0.0, 0.0
    for node in range(1, tree.shape[0]):
        copies = left[tree[node, 1]] - tree[node, 2]
        weight = ways[tree[node, 0]] * copies / (cards - tree[node, 3] + 1) if copies > 0 else 0.0
        ways[node] = weight
        if tree[node, 5] > 0:
            chance = weight * tree[node, 5]
            stood += chance
            dealer = 17 + tree[node, 4]
            if dealer < total:
                balance += chance
            elif dealer > total:
                balance -= chance
    return no_blackjack - stood + balance - (played - no_blackjack)


@numba.njit(cache=True)  # type: ignore[misc,unused-ignore]
def _clear(left: Any, cards: int, hole: tuple[int, bool]) -> tuple[float, float]:
    """Return the probabilities that the dealer has no blackjack, and that the hand is played out.

    ``hole`` is the place of the hole card that gives blackjack, or -1, and whether the dealer peeks at it.
    """
    blocked, peeks = hole
    no_blackjack = 1.0 - left[blocked] / cards if blocked >= 0 else 1.0
    return no_blackjack, no_blackjack if peeks else 1.0


@numba.njit(cache=True)  # type: ignore[misc,unused-ignore]
def _draw(left: Any, cards: int, children: Any, values: Any, hole: tuple[int, bool]) -> tuple[float, float]:
    """Return the means of hitting and doubling over the next card."""
    hit, double = 0.0, 0.0
    for x in range(10):
        if left[x] > 0:
            chance = left[x] / cards
            if children[x] >= 0:
                hit += chance * values[children[x], 3]
                double += 2.0 * chance * values[children[x], 0]
            else:
                left[x] -= 1
                lost = chance * _clear(left, cards - 1, hole)[1]
                left[x] += 1
                hit -= lost
                double -= 2.0 * lost
    return hit, double


@numba.njit(cache=True)  # type: ignore[misc,unused-ignore]
def play(base: Any, rows: Any, hands: Any, tree: Any, hole: tuple[int, bool], decision: Any) -> Any:
    """Compute stand, hit, double and the decision for the given rows, in a shoe without the up card.

    A negative decision is open: the best decision is stored; ties go to the smaller stake.
    """
    counts, child, totals, drawable = hands
    values = np.zeros((counts.shape[0], 4))
    for row in rows:
        left = base - counts[row]
        cards = left.sum()
        if left.min() < 0 or cards < 2:
            continue
        values[row, 0] = _stand_value(left, cards, totals[row], tree, _clear(left, cards, hole))
        values[row, 1], values[row, 2] = _draw(left, cards, child[row], values, hole)
        if decision[row] < 0:
            decision[row] = 0
            if drawable[row] and values[row, 1] > values[row, 0]:
                decision[row] = 1
            if counts[row].sum() == 2 and values[row, 2] > values[row, decision[row]]:
                decision[row] = 2
        values[row, 3] = values[row, decision[row]]
    return values
