"""What the four-card jackpot sees in a hand."""

from feltwork.hands.category import names_of
from feltwork.hands.four_card import ROWS, best_four
from feltwork.titles.title import Sight


def names(sight: Sight) -> frozenset[str]:
    """The rows that the best four cards answer to [C4.{aquarius,nexus}.2]."""
    (cards,) = sight
    return names_of(best_four(cards), ROWS)
