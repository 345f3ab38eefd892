"""The rows of the hold'em jackpot."""

from feltwork.titles.cards.card import Card
from feltwork.titles.hands import five_card
from feltwork.titles.hands.category import names_of
from feltwork.titles.hands.five_card import ROYAL_FLUSH, best_five
from feltwork.titles.title import Sight

COMMUNITY_ROYAL = "community_royal"
ROYALS = {5: "royal_after_5", 6: "royal_after_6", 7: "royal_after_7"}
ROWS = frozenset(five_card.ROWS) | {COMMUNITY_ROYAL, *ROYALS.values()}


def names(sight: Sight) -> frozenset[str]:
    """Return the rows of the best five of seven cards [TH.{aquarius,nexus}.2].

    A royal uses at least three board cards, so at most one seat holds one that is not on the board. Shares
    of the meter never coincide, and the pay order matters only when fixed pays come off the meter too.
    """
    hole, board = sight
    hand = best_five(hole + board)
    rows = names_of(hand, five_card.ROWS)
    if hand != ROYAL_FLUSH:
        return rows
    if best_five(board) == ROYAL_FLUSH:
        return rows - {"royal_flush"} | {COMMUNITY_ROYAL}
    return rows | {ROYALS[_cards_until_royal(hole, board)]}


def _cards_until_royal(hole: tuple[Card, ...], board: tuple[Card, ...]) -> int:
    """Return the number of cards after which the royal was complete: flop, turn or river."""
    cards = hole + board
    return next(count for count in ROYALS if best_five(cards[:count]) == ROYAL_FLUSH)
