"""The optimal decision of Hold'em Bonus at each street, with the exact worth of every choice in Antes.

The worth is the expected net result of the whole round, Ante and earlier bets included, when all later
decisions are optimal. Of choices worth the same, the one that stakes less is best.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from feltwork.odds.holdem_bonus.counts import HoldemBonusCounts, Outcomes, rank_orders
from feltwork.odds.holdem_bonus.solve import Criterion, net_total, play_value
from feltwork.odds.kernels import holdem as kernel

FULL_DECK = (1 << 52) - 1
DEALER_PAIRS = 990


@dataclass(frozen=True, slots=True)
class HoldemAdvice:
    """What to do, and what each choice is worth."""

    best: str
    worth: Mapping[str, Fraction]


def _advice(cheaper: str, dearer: str, worth: dict[str, Fraction]) -> HoldemAdvice:
    return HoldemAdvice(dearer if worth[dearer] > worth[cheaper] else cheaper, worth)


def _checked(hole: Sequence[int], board: Sequence[int], *, size: int) -> None:
    cards = [*hole, *board]
    if len(hole) != 2 or len(board) != size or len(set(cards)) != len(cards):
        raise ValueError(f"give two hole cards and {size} board cards, all different")
    if not all(0 <= card < 52 for card in cards):
        raise ValueError("a card is 4 * (rank - 2) + suit, from 0 to 51")


def before_flop(hole: Sequence[int], criterion: Criterion, counts: HoldemBonusCounts) -> HoldemAdvice:
    """Fold the Ante, or bet twice the Ante on the Flop."""
    _checked(hole, (), size=0)
    hand = int(kernel.hole_class(max(hole), min(hole)))
    return _advice("fold", "bet", {"fold": Fraction(-1), "bet": play_value(counts, hand, criterion)})


def after_turn(
    hole: Sequence[int], board: Sequence[int], criterion: Criterion, *, turn_bet: int
) -> HoldemAdvice:
    """Check, or bet the Ante on the River, with four board cards seen. `turn_bet` is 1 if it was made."""
    _checked(hole, board, size=4)
    outcomes = _turn_outcomes(hole, board)
    deals = 46 * DEALER_PAIRS
    worth = {
        name: Fraction(net_total(outcomes, criterion, bets=2 + turn_bet + river_bet), deals)
        for name, river_bet in (("check", 0), ("bet", 1))
    }
    return _advice("check", "bet", worth)


def after_flop(hole: Sequence[int], flop: Sequence[int], criterion: Criterion) -> HoldemAdvice:
    """Check, or bet the Ante on the Turn, with the flop seen."""
    _checked(hole, flop, size=3)
    turns = [
        _turn_outcomes(hole, (*flop, turn)) for turn in range(52) if turn not in hole and turn not in flop
    ]
    deals = len(turns) * 46 * DEALER_PAIRS
    worth: dict[str, Fraction] = {}
    for name, turn_bet in (("check", 0), ("bet", 1)):
        net = sum(
            net_total(outcomes, criterion, bets=2 + turn_bet + (outcomes.won > outcomes.lost))
            for outcomes in turns
        )
        worth[name] = Fraction(net, deals)
    return _advice("check", "bet", worth)


def _turn_outcomes(hole: Sequence[int], board: Sequence[int]) -> Outcomes:
    """Deals won and lost over all rivers and dealer pairs."""
    orders, values = rank_orders()
    high, low = max(hole), min(hole)
    counted = kernel.settle_hole(np.array(board, dtype=np.int64), high, low, FULL_DECK, orders, values)
    return Outcomes(1, *counted.tolist())
