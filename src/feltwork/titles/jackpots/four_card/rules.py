"""The rows of the four-card jackpot."""

from feltwork.titles.hands.category import names_of
from feltwork.titles.hands.four_card import ROWS, best_four
from feltwork.titles.title import Sight


def names(sight: Sight) -> frozenset[str]:
    """Return the rows of the best four cards [C4.{aquarius,nexus}.2]."""
    (cards,) = sight
    return names_of(best_four(cards), ROWS)
