"""Blackjack by compiled dynamic programming: the best play of any hand in milliseconds.

The definitions of ``blackjack.exact`` in floating point. Rounding stays below 1e-13; the tests compare with
the exact fractions.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import comb, perm
from typing import TYPE_CHECKING, TypeAlias

from feltwork.odds.count_cache import Arrays, kept_view
from feltwork.odds.lazy_numpy import np
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

if TYPE_CHECKING:
    import numpy.typing as npt

Floats: TypeAlias = "npt.NDArray[np.float64]"
Ints: TypeAlias = "npt.NDArray[np.int64]"

STAND, HIT, DOUBLE, CHOSEN = range(4)
SURRENDER_COSTS = 0.5


@cache
def _places() -> dict[Values, int]:
    """Number all hands of 21 or less, highest hard total first, so that children precede their parents."""
    hands: list[Values] = []

    def extend(hand: Values, lowest: int, room: int) -> None:
        if hand != NO_CARDS:
            hands.append(hand)
        for value in range(lowest, min(10, room) + 1):
            extend(add(hand, value), value, room - value)

    extend(NO_CARDS, 1, 21)
    hands.sort(key=hard_total, reverse=True)
    return {hand: row for row, hand in enumerate(hands)}


@dataclass(frozen=True, slots=True)
class _Hands:
    """The hands of `_places` as arrays."""

    counts: Ints
    child: Ints
    total: Ints
    drawable: "npt.NDArray[np.bool_]"


@cache
def _hands() -> _Hands:
    place = _places()
    child = [[place.get(add(hand, value), -1) for value in range(1, 11)] for hand in place]
    return _Hands(
        np.array(list(place), dtype=np.int64),
        np.array(child, dtype=np.int64),
        np.array([best_total(hand) for hand in place], dtype=np.int64),
        np.array([hard_total(hand) < 21 for hand in place], dtype=np.bool_),
    )


@cache
def _tree(up: int, soft_17: Soft17) -> Ints:
    """Return the dealer's tree as rows of parent, value index, copy, depth, outcome, orders."""
    nodes = dealer_tree(up, soft_17)
    rows = [(n.parent, n.value - 1, n.copy, n.depth, n.outcome, n.orders) for n in nodes]
    return np.array(rows, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class BlackjackAdvice:
    """The best action and the value of each allowed action per unit staked, after any peek."""

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
    values: "Floats | memoryview"
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
        row, no_blackjack = _places()[hand], self.no_blackjack(hand)
        clear = self.played(hand)
        dealt, fresh = sum(hand) == 2, split_hands == 1
        if dealt and fresh and is_blackjack(hand):
            return {"stand": float(self.rules.blackjack_pays) * no_blackjack / clear}
        values = {}
        if dealt and fresh and self.rules.surrender:
            # Late surrender still loses everything to a blackjack.
            values["surrender"] = (-SURRENDER_COSTS * no_blackjack - (clear - no_blackjack)) / clear
        values["stand"] = float(self.values[row, STAND]) / clear
        if hard_total(hand) < 21:
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
    from feltwork.odds.kernels.blackjack import play

    hands, place = _hands(), _places()
    left = add(shoe, up, -1)
    game = (hands.counts, hands.child, hands.total, hands.drawable), _tree(up, rules.soft_17)
    hole = (hole_that_ends(up) or 0) - 1, rules.peeks
    decision = np.full(len(hands.total), -1, dtype=np.int8)
    values = play(np.array(left), np.arange(len(hands.total)), *game, hole, decision)
    decision[decision < 0] = STAND  # hands this shoe cannot deal
    if not rules.double_after_split:
        instead = np.where(values[:, HIT] > values[:, STAND], HIT, STAND)
        decision = np.where(decision == DOUBLE, instead, decision).astype(np.int8)

    def hand_means(pair: int, further: int) -> tuple[float, float]:
        """Return a split hand's mean when further pair cards are gone: with and without pairing again."""
        one_card = pair == 1 and not rules.hit_split_aces
        base = np.array(add(left, pair, -1 - further))
        rows = np.nonzero(hands.counts[:, pair - 1])[0]
        played = play(base, rows, *game, hole, decision)
        second = base - hands.counts[place[add(NO_CARDS, pair)]]
        results = played[hands.child[place[add(NO_CARDS, pair)]], STAND if one_card else CHOSEN]
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
    """Solve a full shoe and one up card, or load the cached solution."""

    def solved() -> Arrays:
        solution = solve(rules.shoe(), up, rules)
        return {"values": np.asarray(solution.values), "split": np.array(solution.split)}

    name = f"blackjack_up-{rules.name}-{up}"
    values, split = (kept_view(name, member, solved, of=(__name__,)) for member in ("values", "split"))
    return UpCardTable(up, rules, add(rules.shoe(), up, -1), values, tuple(split.tolist()))


def advise(cards: Sequence[int], up: int, rules: Rules, *, split_hands: int = 1) -> BlackjackAdvice:
    """Return the best play of a hand given by card values, ace 1."""
    hand = values_of(cards)
    if hand not in _places() or len(cards) < 2:
        raise ValueError(
            f"{list(cards)} is not a hand to play; give two or more values 1..10 totaling 21 or less"
        )
    return table(rules, up).advise(hand, split_hands=split_hands)
