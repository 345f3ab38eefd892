"""Blackjack by compiled dynamic programming: the best play of any hand in milliseconds.

The definitions of ``blackjack.exact`` in floating point. Rounding stays below 1e-13; the tests compare with
the exact fractions.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import comb, perm
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from feltwork.odds.titles.blackjack.rules import (
    NO_CARDS,
    Rules,
    Soft17,
    Values,
    add,
    best_total,
    dealer_tree,
    hard_total,
    hole_that_ends,
    is_blackjack,
    split_terms,
    values_of,
    without,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

STAND, HIT, DOUBLE, CHOSEN = range(4)
SURRENDER_COSTS = 0.5


@dataclass(frozen=True, slots=True)
class _Hands:
    """All hands of 21 or less, highest hard total first, so that children precede their parents."""

    place: dict[Values, int]
    counts: Ints
    child: Ints
    total: Ints
    drawable: NDArray[np.bool_]


@cache
def _hands() -> _Hands:
    hands: list[Values] = []

    def extend(hand: Values, lowest: int, room: int) -> None:
        if hand != NO_CARDS:
            hands.append(hand)
        for value in range(lowest, min(10, room) + 1):
            extend(add(hand, value), value, room - value)

    extend(NO_CARDS, 1, 21)
    hands.sort(key=hard_total, reverse=True)
    place = {hand: row for row, hand in enumerate(hands)}
    child = [[place.get(add(hand, value), -1) for value in range(1, 11)] for hand in hands]
    return _Hands(
        place,
        np.array(hands, dtype=np.int64),
        np.array(child, dtype=np.int64),
        np.array([best_total(hand) for hand in hands], dtype=np.int64),
        np.array([hard_total(hand) < 21 for hand in hands], dtype=np.bool_),
    )


@cache
def _tree(up: int, soft_17: Soft17) -> Ints:
    """Return the dealer's tree as rows of parent, value index, copy, depth, outcome, orders."""
    nodes = dealer_tree(up, soft_17)
    rows = [(n.parent, n.value - 1, n.copy, n.depth, n.outcome, n.orders) for n in nodes]
    return np.array(rows, dtype=np.int64)


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
def _play(base: Any, rows: Any, hands: Any, tree: Any, hole: tuple[int, bool], decision: Any) -> Any:
    """Compute stand, hit, double and the decision for the given rows, in a shoe without the up card.

    A negative decision is open: the best one is chosen and stored, of equals the smaller stake.
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


@dataclass(frozen=True, slots=True)
class BlackjackAdvice:
    """The best action and the value of each allowed one per unit staked, after a peek if there is one."""

    action: str
    values: dict[str, float]

    @property
    def value(self) -> float:
        """The value of the best action."""
        return self.values[self.action]


@dataclass(frozen=True, slots=True)
class UpCardTable:
    """The values of every hand and split against one up card."""

    up: int
    rules: Rules
    shoe: Values
    """The shoe without the up card."""
    values: Floats
    split: tuple[float, ...]

    def no_blackjack(self, hand: Values) -> float:
        """Return the probability that the hole card does not end the round."""
        blocked = hole_that_ends(self.up)
        left = without(self.shoe, hand)
        return 1.0 if blocked is None else 1.0 - left[blocked - 1] / sum(left)

    def played(self, hand: Values) -> float:
        """Return the probability that the hand is played out: with a peek, only without a blackjack."""
        return self.no_blackjack(hand) if self.rules.peeks else 1.0

    def choices(self, hand: Values, *, split_hands: int = 1) -> dict[str, float]:
        """Return the value of each allowed action per unit staked, smaller stakes first.

        With a peek, the values are for rounds that it does not end. With ``split_hands`` above 1 the hand
        comes from a split, where no hand is a blackjack.
        """
        row, no_blackjack = _hands().place[hand], self.no_blackjack(hand)
        clear = self.played(hand)
        dealt, fresh = sum(hand) == 2, split_hands == 1
        if dealt and fresh and is_blackjack(hand):
            return {"stand": float(self.rules.blackjack_pays) * no_blackjack / clear}
        values = {}
        if dealt and fresh and self.rules.surrender:
            # Late surrender still loses everything to a blackjack.
            values["surrender"] = (-SURRENDER_COSTS * no_blackjack - (clear - no_blackjack)) / clear
        values["stand"] = float(self.values[row, STAND]) / clear
        if _hands().drawable[row]:
            values["hit"] = float(self.values[row, HIT]) / clear
        if dealt and (fresh or self.rules.double_after_split):
            values["double"] = float(self.values[row, DOUBLE]) / clear
        if dealt and max(hand) == 2 and split_hands < self.rules.max_hands:
            values["split"] = self.split[hand.index(2)] / clear
        return values

    def advise(self, hand: Values, *, split_hands: int = 1) -> BlackjackAdvice:
        """Return the best of the choices."""
        values = self.choices(hand, split_hands=split_hands)
        return BlackjackAdvice(max(values, key=lambda action: values[action]), values)


def solve(shoe: Values, up: int, rules: Rules) -> UpCardTable:
    """Solve one up card of any shoe; the shoe includes the up card."""
    hands = _hands()
    left = add(shoe, up, -1)
    game = (hands.counts, hands.child, hands.total, hands.drawable), _tree(up, rules.soft_17)
    hole = (hole_that_ends(up) or 0) - 1, rules.peeks
    decision = np.full(len(hands.total), -1, dtype=np.int8)
    values = _play(np.array(left), np.arange(len(hands.total)), *game, hole, decision)
    decision[decision < 0] = STAND  # hands this shoe cannot deal
    if not rules.double_after_split:
        instead = np.where(values[:, HIT] > values[:, STAND], HIT, STAND)
        decision = np.where(decision == DOUBLE, instead, decision).astype(np.int8)

    def hand_means(pair: int, further: int) -> tuple[float, float]:
        """Return a split hand's mean when further pair cards are gone: with and without pairing again."""
        one_card = pair == 1 and not rules.hit_split_aces
        base = np.array(add(left, pair, -1 - further))
        rows = np.nonzero(hands.counts[:, pair - 1])[0]
        played = _play(base, rows, *game, hole, decision)
        second = base - hands.counts[hands.place[add(NO_CARDS, pair)]]
        results = played[hands.child[hands.place[add(NO_CARDS, pair)]], STAND if one_card else CHOSEN]
        each = second * results / second.sum()
        return float(each.sum()), float(each.sum() - each[pair - 1])

    most = [2 if pair == 1 and not rules.resplit_aces else rules.max_hands for pair in range(1, 11)]
    split = tuple(
        _split_value(left, pair, min(hands_, rules.max_hands), hand_means)
        for pair, hands_ in enumerate(most, start=1)
    )
    return UpCardTable(up, rules, left, values, split)


def _split_value(
    left: Values, pair: int, max_hands: int, hand_means: Callable[[int, int], tuple[float, float]]
) -> float:
    """Return the value of all hands of a split; see ``ExactBlackjack.split``."""
    if left[pair - 1] < 2 or max_hands < 2:
        return float("-inf")
    cards, copies = sum(left) - 2, left[pair - 1] - 2
    means: dict[int, tuple[float, float]] = {}
    total = 0.0
    for (must_not_pair, pairs, others), times in split_terms(max_hands).items():
        for further in range(pairs, min(pairs + others, copies) + 1):
            if further not in means:
                means[further] = hand_means(pair, further)
            sign = times * comb(others, further - pairs) * (-1) ** (further - pairs)
            total += sign * perm(copies, further) / perm(cards, further) * means[further][must_not_pair]
    return total


@lru_cache(maxsize=256)
def table(rules: Rules, up: int) -> UpCardTable:
    """Solve a full shoe and one up card."""
    return solve(rules.shoe(), up, rules)


def advise(cards: Sequence[int], up: int, rules: Rules, *, split_hands: int = 1) -> BlackjackAdvice:
    """Return the best play of a hand given by card values, ace 1."""
    hand = values_of(cards)
    if hand not in _hands().place or len(cards) < 2:
        raise ValueError(
            f"{list(cards)} is not a hand to play; give two or more values 1..10 totaling 21 or less"
        )
    return table(rules, up).advise(hand, split_hands=split_hands)
