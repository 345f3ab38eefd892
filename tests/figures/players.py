"""Players who never err and think fast: sure hands by the borders of optimal play, the rest by full advice.

``test_monte_carlo`` holds each against ``strategy.optimal`` on dealt hands.
"""

from collections.abc import Sequence

import numpy as np

from feltwork.cards.card import DECK, TEN, Card
from feltwork.hands.category import Hand
from feltwork.hands.four_card import PAIR_OF_ACES, best_four
from feltwork.odds import strategy
from feltwork.odds.crazy_4.strategy import margin
from feltwork.odds.figures import five_card_games, four_card_games
from feltwork.odds.four_card.classes import hand_of
from feltwork.odds.holdem_bonus.counts import RENAMINGS, boards_of, rank_orders
from feltwork.odds.kernels import holdem as kernel
from feltwork.odds.six_five_four.counts import NEVER_FOLDED
from feltwork.paytables.paytable import Paytable
from feltwork.titles.title import Decide, Decision


def crazy_4(paytables: dict[str, Paytable]) -> Decide:
    """Triple from a pair of aces up; below, only hands on the border need counting."""
    solution = four_card_games.crazy_4_solution()
    border = margin(four_card_games.crazy_4_kept(), four_card_games.crazy_4_bases(), solution)
    lowest, highest = hand_of(border.lowest_played), hand_of(border.highest_folded)
    exact = strategy.optimal("crazy_4", paytables)

    def decide(decision: Decision) -> str:
        hand = best_four(decision.cards)
        if hand >= PAIR_OF_ACES:
            return "3x"
        return _by_border(hand, lowest, highest, ("fold", "1x")) or exact(decision)

    return decide


def six_five_four(paytables: dict[str, Paytable]) -> Decide:
    """The border for each set of exposed cards up to a renaming of suits."""
    borders: dict[tuple[object, ...], tuple[Hand, Hand | None]] = {}
    for kept, first, second, lowest, highest in four_card_games.six_five_four_kept().margins.tolist():
        shown = [DECK[card] for card in (first, second, kept) if card >= 0]
        folded = None if highest == NEVER_FOLDED else hand_of(highest)
        borders[_shape(shown)] = (hand_of(lowest), folded)
    exact = strategy.optimal("six_five_four", paytables)

    def decide(decision: Decision) -> str:
        lowest, highest = borders[_shape(decision.sees["dealer"])]
        return _by_border(best_four(decision.cards), lowest, highest, ("fold", "play")) or exact(decision)

    return decide


def _shape(shown: Sequence[Card]) -> tuple[object, ...]:
    """Exposed cards without the names of suits; the order of two discards does not matter."""
    ranks = [card.rank for card in shown]
    if min(ranks) >= TEN:
        ranks.sort()
    return (*ranks, len({card.suit for card in shown}))


def _by_border(hand: Hand, lowest_played: Hand, highest_folded: Hand | None, words: tuple[str, str]) -> str:
    if hand < lowest_played:
        return words[0]
    return words[1] if highest_folded is None or hand > highest_folded else ""


class Holdem:
    """Hold'em Bonus from a table of all turn boards: four seconds to make, microseconds to ask."""

    def __init__(self) -> None:
        self._boards = boards_of(tuple(range(52)), RENAMINGS)
        self._rows = np.zeros((len(self._boards.turn_boards), kernel.COLUMNS), dtype=np.int64)
        tens = np.zeros(self._rows.shape, dtype=np.uint16)
        whole = (1 << 52) - 1
        kernel.settle_turns(self._boards.turn_boards, whole, *rank_orders(), self._rows, tens)
        self._lost_shift, self._field = kernel.LOST_SHIFT, kernel.FIELD
        self._place = {tuple(flop): place for place, flop in enumerate(self._boards.flops.tolist())}
        self._folds = {
            criterion: set(five_card_games.holdem_solution(criterion).folds)
            for criterion in ("flush", "straight", "three_tens")
        }

    def __call__(self, decision: Decision) -> str:
        if decision.name == "flop":
            folds = self._folds[str(decision.options["ante_wins_with"])]
            return "fold" if _starting_hand(decision.cards) in folds else "bet"
        return "bet" if self._margin(decision.cards, decision.sees["board"]) > 0 else "check"

    def _margin(self, hole: Sequence[Card], board: Sequence[Card]) -> int:
        """Deals won less deals lost: over the rivers after a turn card, or over all turns and rivers."""
        suits, place = self._canonical(tuple(card.index for card in board[:3]))
        high, low, *turn = (_renamed(card.index, suits) for card in (*hole, *board[3:]))
        turns = np.array(turn or np.setdiff1d(np.flatnonzero(self._boards.row_of[place] >= 0), (high, low)))
        renamed = self._boards.renamings[self._boards.renaming_of[place, turns]]
        first, second = (card & ~3 | renamed[:, card & 3] for card in (high, low))
        top, bottom = np.maximum(first, second), np.minimum(first, second)
        packed = self._rows[self._boards.row_of[place, turns], top * (top - 1) // 2 + bottom]
        return int(((packed & self._field) - (packed >> self._lost_shift & self._field)).sum())

    def _canonical(self, flop: tuple[int, ...]) -> tuple[Sequence[int], int]:
        """A renaming of suits that turns the flop into one of the table, and its place there."""
        for suits in RENAMINGS:
            place = self._place.get(tuple(sorted(_renamed(card, suits) for card in flop)))
            if place is not None:
                return suits, place
        raise AssertionError("every flop has its like in the table")


def _renamed(card: int, suits: Sequence[int]) -> int:
    return card & ~3 | suits[card & 3]


def _starting_hand(hole: Sequence[Card]) -> str:
    low, high = sorted(hole)
    ranks = str(high)[0] + str(low)[0]
    if high.rank == low.rank:
        return ranks
    return ranks + ("s" if high.suit == low.suit else "o")
