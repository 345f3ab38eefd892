"""Poker hands by the book, in plain Python: what the compiled evaluation and counting are held against."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from feltwork.odds.kernels.compiled import kernel
from feltwork.odds.kernels.five_card import hand_value

Cards = tuple[int, ...]
HandRank = tuple[int, tuple[int, ...]]


def five_card_rank(cards: Iterable[int]) -> HandRank:
    """(category 0..9, ranks in the order in which they are compared); a higher one wins."""
    ranks = sorted((card // 4 + 2 for card in cards), reverse=True)
    suits = {card % 4 for card in cards}
    groups = sorted(Counter(ranks).items(), key=lambda group: (group[1], group[0]), reverse=True)
    shape = tuple(count for _, count in groups)
    compared = tuple(rank for rank, _ in groups)
    straight_top = _straight_top(ranks)
    if straight_top and len(suits) == 1:
        return (9 if straight_top == 14 else 8), (straight_top,)
    by_shape = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    if shape in by_shape:
        return by_shape[shape], compared
    if len(suits) == 1:
        return 5, compared
    if straight_top:
        return 4, (straight_top,)
    return 0, compared


def _straight_top(ranks: list[int]) -> int:
    if ranks == [14, 5, 4, 3, 2]:
        return 5
    return ranks[0] if ranks == list(range(ranks[0], ranks[0] - 5, -1)) else 0


def best_rank(cards: Iterable[int]) -> HandRank:
    """The best five of five or more cards."""
    return max(five_card_rank(five) for five in combinations(tuple(cards), 5))


@dataclass(frozen=True, slots=True)
class Showdown:
    """Dealer pairs that a hole pair beats and loses to on a board, and the player's hand."""

    won: int
    lost: int
    hand: HandRank

    def meets(self, criterion: str) -> bool:
        category, ranks = self.hand
        match criterion:
            case "flush":
                return category >= 5
            case "straight":
                return category >= 4
            case "three_tens":
                return category >= 4 or (category == 3 and ranks[0] >= 10)
        raise ValueError(f"unknown criterion {criterion!r}; use flush, straight or three_tens")


def showdowns(board: Cards, deck: Iterable[int]) -> dict[tuple[int, int], Showdown]:
    """Every hole pair against every dealer pair on one board."""
    rest = [card for card in deck if card not in board]
    hands = {pair: best_rank((*pair, *board)) for pair in combinations(sorted(rest), 2)}
    showdown_by_pair: dict[tuple[int, int], Showdown] = {}
    for pair, hand in hands.items():
        others = [other for holes, other in hands.items() if not set(holes) & set(pair)]
        won = sum(other < hand for other in others)
        lost = sum(other > hand for other in others)
        showdown_by_pair[pair] = Showdown(won, lost, hand)
    return showdown_by_pair


@kernel
def hand_values(hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """Values of many hands, one per row."""
    values = np.empty(hands.shape[0], np.int64)
    for row in range(hands.shape[0]):
        values[row] = hand_value(hands[row])
    return values
