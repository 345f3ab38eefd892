"""Blackjack: the value of every two cards against every up card, and of the whole round."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from feltwork.odds.count_cache import kept_view
from feltwork.odds.lazy_numpy import np
from feltwork.odds.titles.blackjack.rules import NO_CARDS, Rules, add, is_blackjack

if TYPE_CHECKING:
    import numpy.typing as npt

#: Bound on the floating-point error of a value.
ERROR = Fraction(1, 10**12)
HANDS = tuple(combinations_with_replacement(range(1, 11), 2))
UPS = range(1, 11)


@cache
def values(rules: Rules) -> Mapping[tuple[tuple[int, int], int], float]:
    """Return the value of each hand and up card over all rounds; a round that the peek ends counts zero."""
    view = kept_view(f"blackjack-{rules.name}", "values", lambda: {"values": _solve(rules)}, of=(__name__,))
    return {(hand, up): float(view[place, up - 1]) for place, hand in enumerate(HANDS) for up in UPS}


def _solve(rules: Rules) -> "npt.NDArray[np.float64]":
    from feltwork.odds.titles.blackjack import tables

    round_values = np.zeros((len(HANDS), len(UPS)))
    for up in UPS:
        table = tables.solve(rules.shoe(), up, rules)
        for place, hand in enumerate(HANDS):
            cards = add(add(NO_CARDS, hand[0]), hand[1])
            if deals(rules, hand, up):
                round_values[place, up - 1] = table.advise(cards).value * table.played(cards)
    return round_values


def deals(rules: Rules, hand: tuple[int, int], up: int) -> int:
    """Count the ordered ways to deal an up card and two cards of these values."""
    shoe = list(rules.shoe())
    ways = 1 if hand[0] == hand[1] else 2
    for value in (up, *hand):
        ways *= shoe[value - 1]
        shoe[value - 1] -= 1
    return max(ways, 0)


def expected(rules: Rules) -> Fraction:
    """Return the value of a round under optimal play, per unit of the first bet."""
    cards = sum(rules.shoe())
    total = sum((ways * value for ways, value in _all(rules)), Fraction(0))
    return total / (cards * (cards - 1) * (cards - 2))


def _all(rules: Rules) -> Iterator[tuple[int, Fraction]]:
    for (hand, up), value in values(rules).items():
        lost = _lost_to_peek(rules, hand, up) if rules.peeks else Fraction(0)
        yield deals(rules, hand, up), Fraction(value) - lost


def _lost_to_peek(rules: Rules, hand: tuple[int, int], up: int) -> Fraction:
    """Return the chance that the peek ends the round and takes the bet; a blackjack is returned."""
    if is_blackjack(add(add(NO_CARDS, hand[0]), hand[1])) or up not in (1, 10):
        return Fraction(0)
    hole = 10 if up == 1 else 1
    left = rules.shoe()[hole - 1] - hand.count(hole)
    return Fraction(left, sum(rules.shoe()) - 3)
