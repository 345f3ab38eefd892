"""The rows of the five-card link."""

from feltwork.titles.hands.category import names_of
from feltwork.titles.hands.five_card import ROWS, best_five
from feltwork.titles.title import Sight


def names(sight: Sight) -> frozenset[str]:
    """Return the rows of five cards: all five dealt, or hole cards and flop [C4.link.2, TH.link.2]."""
    (cards,) = sight
    return names_of(best_five(cards), ROWS)
