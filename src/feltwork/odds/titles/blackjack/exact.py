"""Blackjack in exact fractions: the slow, readable version of ``blackjack.tables``.

Values are expectations over rounds in which the dealer has no blackjack; a round that the peek ends counts
zero. Dividing by the probability of no blackjack gives the value after the peek. Without the division, every
step is a plain mean over the cards of the shoe, hole card included.

It covers the usual rules only: the dealer peeks, blackjack pays 3 to 2, split aces get one card each.

Hands are played optimally for the exact shoe. A split hand is played like the same cards unsplit, and pairs
are resplit while allowed; the strategy ignores the other split hands. Under it, every value is exact.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import comb, perm

from feltwork.odds.titles.blackjack.rules import (
    NO_CARDS,
    OUTCOMES,
    Rules,
    Values,
    add,
    best_total,
    dealer_tree,
    hard_total,
    hole_that_ends,
    is_blackjack,
    split_terms,
    together,
    without,
)

BLACKJACK_PAYS = Fraction(3, 2)
SURRENDER_COSTS = Fraction(1, 2)
ZERO = Fraction(0)


class ExactBlackjack:
    """One shoe and one up card, with memoized values."""

    def __init__(self, shoe: Values, up: int, rules: Rules) -> None:
        self.up = up
        self.rules = rules
        self.shoe = add(shoe, up, -1)
        self._dealer = cache(self._dealer_totals)
        self._best = cache(self._best_uncached)
        self._follow = cache(self._follow_uncached)

    def no_blackjack(self, gone: Values) -> Fraction:
        """Return the probability that the hole card does not end the round, with these cards gone."""
        blocked = hole_that_ends(self.up)
        left = without(self.shoe, gone)
        return Fraction(1) if blocked is None else 1 - Fraction(left[blocked - 1], sum(left))

    def _dealer_totals(self, gone: Values) -> tuple[Fraction, ...]:
        """Return the probability of each dealer total without blackjack."""
        left = without(self.shoe, gone)
        tree = dealer_tree(self.up, self.rules.soft_17)
        longest = tree[-1].depth
        ways = [1] * len(tree)
        by_depth = [[0] * (longest + 1) for _ in OUTCOMES]
        for place, node in enumerate(tree[1:], start=1):
            ways[place] = ways[node.parent] * max(left[node.value - 1] - node.copy, 0)
            if node.orders:
                by_depth[node.outcome][node.depth] += node.orders * ways[place]
        cards = sum(left)
        return tuple(
            sum((Fraction(n, perm(cards, depth)) for depth, n in enumerate(counts) if n), ZERO)
            for counts in by_depth
        )

    def stand(self, hand: Values, extra: Values = NO_CARDS) -> Fraction:
        """Return the value of standing; ``extra`` are other cards gone from the shoe."""
        gone = together(hand, extra)
        if hard_total(hand) > 21:
            return -self.no_blackjack(gone)
        total, chances = best_total(hand), self._dealer(gone)
        worse = sum((p for p, dealer in zip(chances, OUTCOMES, strict=True) if dealer < total), ZERO)
        better = sum((p for p, dealer in zip(chances, OUTCOMES, strict=True) if dealer > total), ZERO)
        bust = self.no_blackjack(gone) - sum(chances, ZERO)
        return bust + worse - better

    def hit(self, hand: Values) -> Fraction:
        """Return the value of hitting and playing on optimally."""
        return self._mean(hand, NO_CARDS, lambda drawn: self.best(drawn)[1])

    def double(self, hand: Values, extra: Values = NO_CARDS) -> Fraction:
        """Return the value of doubling."""
        return 2 * self._mean(hand, extra, lambda drawn: self.stand(drawn, extra))

    def best(self, hand: Values, *, may_double: bool = True) -> tuple[str, Fraction]:
        """Return the best play without a split; ties go to the smaller stake."""
        return self._best(hand, may_double and sum(hand) == 2)

    def _best_uncached(self, hand: Values, may_double: bool) -> tuple[str, Fraction]:  # noqa: FBT001
        choices = {"stand": self.stand(hand)}
        if hard_total(hand) < 21:
            choices["hit"] = self.hit(hand)
        if may_double:
            choices["double"] = self.double(hand)
        action = max(choices, key=lambda name: choices[name])
        return action, choices[action]

    def follow(self, hand: Values, extra: Values) -> Fraction:
        """Return the value of a split hand played like an unsplit one, with other pair cards gone."""
        return self._follow(hand, extra)

    def _follow_uncached(self, hand: Values, extra: Values) -> Fraction:
        if hard_total(hand) >= 21:
            return self.stand(hand, extra)
        action, _ = self.best(hand, may_double=self.rules.double_after_split)
        if action == "stand":
            return self.stand(hand, extra)
        if action == "double":
            return self.double(hand, extra)
        return self._mean(hand, extra, lambda drawn: self.follow(drawn, extra))

    def split(self, pair: int) -> Fraction:
        """Return the value of splitting a pair, all split hands together."""
        card = add(NO_CARDS, pair)
        if pair == 1:
            return 2 * self._mean(card, card, lambda drawn: self.stand(drawn, card))
        total = ZERO
        for (must_not_pair, pairs, others), times in split_terms(self.rules.max_hands).items():
            for more in range(others + 1):
                sign = times * comb(others, more) * (-1) ** more
                total += sign * self._split_hand(pair, pairs + more, must_not_pair=must_not_pair)
        return total

    def _split_hand(self, pair: int, further: int, *, must_not_pair: bool) -> Fraction:
        """Return a split hand's value times the probability that further pair cards come first."""
        left = without(self.shoe, add(NO_CARDS, pair, 2))
        chance = Fraction(perm(left[pair - 1], further), perm(sum(left), further))
        if not chance:
            return ZERO
        extra = add(NO_CARDS, pair, 1 + further)
        avoid = pair if must_not_pair else 0
        mean = self._mean(add(NO_CARDS, pair), extra, lambda drawn: self.follow(drawn, extra), avoid=avoid)
        return chance * mean

    def _mean(
        self, hand: Values, extra: Values, value_of: Callable[[Values], Fraction], *, avoid: int = 0
    ) -> Fraction:
        """Return the mean over the next card; a card to avoid counts zero."""
        left = without(self.shoe, together(hand, extra))
        total = ZERO
        for value, copies in enumerate(left, start=1):
            if copies > 0 and value != avoid:
                total += copies * value_of(add(hand, value))
        return total / sum(left)

    def deal(self, first: int, second: int) -> tuple[str, Fraction]:
        """Return the best play of two dealt cards, splits and surrender included, and its value."""
        hand = add(add(NO_CARDS, first), second)
        if is_blackjack(hand):
            return "blackjack", BLACKJACK_PAYS * self.no_blackjack(hand)
        action, value = self.best(hand)
        if first == second and self.rules.max_hands > 1:
            split = self.split(first)
            action, value = ("split", split) if split > value else (action, value)
        give_up = -SURRENDER_COSTS * self.no_blackjack(hand)
        if self.rules.surrender and give_up >= value:
            return "surrender", give_up
        return action, value
