"""The optimal decision of Hold'em Bonus on each street, with the exact value of every choice in Antes.

The value is the expected net result of the whole round when all later decisions are optimal.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from feltwork.cards.card import Card
from feltwork.odds.title_odds import Advice, Asks, Cards, Paytables, TableOptions
from feltwork.odds.titles.holdem_bonus.bets import cached_bets
from feltwork.odds.titles.holdem_bonus.counts import HoldemBonusCounts, Outcomes, cached_counts, rank_orders
from feltwork.odds.titles.holdem_bonus.solve import Criterion, criterion_of, net_total, play_value, solution
from feltwork.titles.title import Decide, Decision

FULL_DECK = (1 << 52) - 1
DEALER_PAIRS = 990


def advise(decision: Decision, _paytables: Paytables) -> Advice:
    """Answer a table's Flop, Turn or River decision."""
    hole, board = ([card.index for card in cards] for cards in (decision.cards, decision.sees["board"]))
    criterion = criterion_of(decision.options["ante_wins_with"])
    if decision.name == "flop":
        return before_flop(hole, criterion, cached_counts())
    if decision.name == "turn":
        return after_flop(hole, board, criterion)
    # A Turn bet already made shifts both choices alike, so leaving it out changes no comparison.
    return after_turn(hole, board, criterion, turn_bet=0)


def question(cards: Cards, sees: Mapping[str, Cards], options: TableOptions) -> Decision:
    """Ask for the bet of the street that the board shows."""
    name = {0: "flop", 3: "turn", 4: "river"}[len(sees["board"])]
    choices = ("fold", "bet") if name == "flop" else ("check", "bet")
    return Decision(seat=1, name=name, choices=choices, cards=cards, sees=sees, options=options)


ASKS = Asks((2,), {"board": (0, 3, 4)}, question)


def player(_paytables: Paytables, options: TableOptions) -> Decide:
    """Decide the Flop bet by the starting hand, and the other two bets by their bits."""
    bets = cached_bets()
    folds = set(solution(str(options["ante_wins_with"])).folds)

    def decide(decision: Decision) -> str:
        if decision.name == "flop":
            return "fold" if _starting_hand(decision.cards) in folds else "bet"
        hole, board = ([card.index for card in cards] for cards in (decision.cards, decision.sees["board"]))
        return "bet" if bets.is_bet(hole, board) else "check"

    return decide


def _starting_hand(hole: Sequence[Card]) -> str:
    low, high = sorted(hole)
    ranks = str(high)[0] + str(low)[0]
    return ranks if high.rank == low.rank else ranks + ("s" if high.suit == low.suit else "o")


def _advice(cheaper: str, dearer: str, worth: dict[str, Fraction]) -> Advice:
    return Advice(dearer if worth[dearer] > worth[cheaper] else cheaper, worth)


def _checked(hole: Sequence[int], board: Sequence[int], *, size: int) -> None:
    cards = [*hole, *board]
    if len(hole) != 2 or len(board) != size or len(set(cards)) != len(cards):
        raise ValueError(f"give two hole cards and {size} board cards, all different")
    if not all(0 <= card < 52 for card in cards):
        raise ValueError("a card is 4 * (rank - 2) + suit, from 0 to 51")


def before_flop(hole: Sequence[int], criterion: Criterion, counts: HoldemBonusCounts) -> Advice:
    """Fold the Ante, or bet twice the Ante on the Flop."""
    from feltwork.odds.kernels import holdem as kernel

    _checked(hole, (), size=0)
    hand = int(kernel.hole_class(max(hole), min(hole)))
    return _advice("fold", "bet", {"fold": Fraction(-1), "bet": play_value(counts, hand, criterion)})


def after_turn(hole: Sequence[int], board: Sequence[int], criterion: Criterion, *, turn_bet: int) -> Advice:
    """Check, or bet the Ante on the River, with four board cards seen. `turn_bet` is 1 if it was made."""
    _checked(hole, board, size=4)
    outcomes = _turn_outcomes(hole, board)
    deals = 46 * DEALER_PAIRS
    worth = {
        name: Fraction(net_total(outcomes, criterion, bets=2 + turn_bet + river_bet), deals)
        for name, river_bet in (("check", 0), ("bet", 1))
    }
    return _advice("check", "bet", worth)


def after_flop(hole: Sequence[int], flop: Sequence[int], criterion: Criterion) -> Advice:
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
    from feltwork.odds.kernels import holdem as kernel

    orders, values = rank_orders()
    high, low = max(hole), min(hole)
    counted = kernel.settle_hole(np.array(board, dtype=np.int64), high, low, FULL_DECK, orders, values)
    return Outcomes(1, *counted.tolist())
