"""What the hold'em jackpot sees in hole cards and board."""

from feltwork.cards.card import Card
from feltwork.hands import five_card
from feltwork.hands.category import names_of
from feltwork.hands.five_card import ROYAL_FLUSH, best_five
from feltwork.titles.title import Sight

COMMUNITY_ROYAL = "community_royal"
ROYALS = {5: "royal_after_5", 6: "royal_after_6", 7: "royal_after_7"}
ROWS = frozenset(five_card.ROWS) | {COMMUNITY_ROYAL, *ROYALS.values()}


def names(sight: Sight) -> frozenset[str]:
    """The rows that the best five of all seven cards answer to [TH.{aquarius,nexus}.2].

    A royal needs three cards of the board or more, so that one seat at most holds one that is not on the
    board: shares of the meter never meet in one round, and the order of payment matters only where the house
    takes fixed pays off the meter too [TH.{aquarius,nexus}.9.c].
    """
    hole, board = sight
    hand = best_five(hole + board)
    found = names_of(hand, five_card.ROWS)
    if hand != ROYAL_FLUSH:
        return found
    if best_five(board) == ROYAL_FLUSH:
        return found - {"royal_flush"} | {COMMUNITY_ROYAL}
    return found | {ROYALS[_cards_until_royal(hole, board)]}


def _cards_until_royal(hole: tuple[Card, ...], board: tuple[Card, ...]) -> int:
    """With how many of the seven cards the royal was complete: flop, turn or river."""
    cards = hole + board
    return next(count for count in ROYALS if best_five(cards[:count]) == ROYAL_FLUSH)
