"""Whole blackjack games and the parlay of House Money by two independent ways, to compare with each other."""

from fractions import Fraction
from math import perm

from feltwork.odds.titles.blackjack import parlay, tables
from feltwork.odds.titles.blackjack.exact import ExactBlackjack
from feltwork.odds.titles.blackjack.rules import NO_CARDS, Rules, Values, add, is_blackjack, values_of
from feltwork.titles.paytables.paytable import Paytable


def deal_ways(shoe: Values, low: int, high: int, up: int) -> int:
    """Ordered ways to deal two cards of these values to the player, in either order, and the up card."""
    left, ways = shoe, 1 if low == high else 2
    for value in (low, high, up):
        ways *= max(left[value - 1], 0)
        left = add(left, value, -1)
    return ways


def game_value(rules: Rules) -> float:
    """The player's expectation of a round from a full shoe, one unit staked."""
    return shoe_value(rules.shoe(), rules)


def shoe_value(shoe: Values, rules: Rules) -> float:
    """The player's expectation of a round from any shoe, by the compiled tables."""
    total = 0.0
    for up in (up for up in range(1, 11) if shoe[up - 1]):
        table = tables.solve(shoe, up, rules)
        for low in range(1, 11):
            for high in range(low, 11):
                ways, hand = deal_ways(shoe, low, high, up), values_of((low, high))
                if ways:
                    clear = table.no_blackjack(hand)
                    lost = 0.0 if is_blackjack(hand) else 1.0 - clear
                    total += ways * (clear * table.advise(hand).value - lost)
    return total / perm(sum(shoe), 3)


def exact_shoe_value(shoe: Values, rules: Rules) -> Fraction:
    """The same in exact fractions."""
    total = Fraction(0)
    for up in (up for up in range(1, 11) if shoe[up - 1]):
        table = ExactBlackjack(shoe, up, rules)
        for low in range(1, 11):
            for high in range(low, 11):
                ways = deal_ways(shoe, low, high, up)
                if ways:
                    hand = add(add(NO_CARDS, low), high)
                    lost = Fraction(0) if is_blackjack(hand) else 1 - table.no_blackjack(hand)
                    total += ways * (table.deal(low, high)[1] - lost)
    return total / perm(sum(shoe), 3)


def compiled_hand_values(rules: Rules, paytable: Paytable, up: int) -> dict[tuple[int, int], Fraction]:
    """The values of `parlay.hand_values` from the compiled tables."""
    table = tables.table(rules, up)
    return {
        hand: Fraction(tables.advise(hand, up, rules).value * table.no_blackjack(values_of(hand)))
        for hand in sorted(parlay.proceeds_ways(rules, paytable))
    }
