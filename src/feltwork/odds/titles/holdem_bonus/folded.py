"""The jackpot hands that an optimal player of Hold'em Bonus folds before the flop."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations

from feltwork.odds.atoms import Atoms, Names
from feltwork.odds.count_cache import kept_atoms
from feltwork.odds.title_odds import TableOptions
from feltwork.odds.titles.holdem_bonus.solve import solution
from feltwork.titles import registry
from feltwork.titles.cards.card import DECK, TEN, Card
from feltwork.titles.hands.category import Hand, names_of
from feltwork.titles.hands.five_card import ROWS, FiveCardCategory

#: Number of ways to choose the suits of two offsuit cards.
OFFSUIT = 12


def _on_criterion(name: str, count: Callable[[str], Atoms]) -> Callable[[TableOptions], Atoms]:
    def atoms(options: TableOptions) -> Atoms:
        criterion = str(options["ante_wins_with"])
        return kept_atoms(f"folded-{name}-{criterion}", lambda: count(criterion), of=(__name__,))

    return atoms


def _folded_holes(criterion: str) -> Iterator[tuple[Card, Card]]:
    """Yield one hand for each starting hand that is folded."""
    by_letter = {str(card): card for card in DECK}
    for folded in solution(criterion).folds:
        assert folded[2:] == "o", "a folded hand has two suits"
        hole = (by_letter[f"{folded[0]}c"], by_letter[f"{folded[1]}d"])
        assert max(hole).rank < TEN, "a folded hand has no card of a royal flush"
        yield hole


def count_flops(criterion: str) -> Atoms:
    """Count folded hole cards with every flop, named by the five-card link."""
    names = registry.jackpot("five_card").names
    atoms: Counter[Names] = Counter()
    for hole in _folded_holes(criterion):
        for flop in combinations([card for card in DECK if card not in hole], 3):
            atoms[names(((*hole, *flop),))] += OFFSUIT
    return atoms


def count_boards(criterion: str) -> Atoms:
    """Count folded hole cards with every board, named by the hold'em jackpot."""
    from feltwork.odds.kernels.five_card import category_counts_with

    names = registry.jackpot("holdem").names
    atoms: Counter[Names] = Counter()
    for hole in _folded_holes(criterion):
        *boards, royals = category_counts_with([card.index for card in hole], 7)
        for category, count in zip(FiveCardCategory, boards, strict=True):
            atoms[names_of(Hand(category, (2, 2)), ROWS)] += count * OFFSUIT
        royal = tuple(card for card in DECK if card.rank >= TEN and card.suit == DECK[0].suit)
        atoms[names((hole, royal))] += royals * OFFSUIT
    return atoms


FOLDED = {"five_card": _on_criterion("flop", count_flops), "holdem": _on_criterion("board", count_boards)}
