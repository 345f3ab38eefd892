"""The rows of Blazing 7's."""

from feltwork.titles.cards.card import SEVEN, Card, Suit
from feltwork.titles.hands.three_card import of_one_color, of_one_suit
from feltwork.titles.title import Sight

ROWS = frozenset(
    {"three_7s_diamonds", "three_7s_suited", "three_7s_same_color", "three_7s", "two_7s", "one_7"}
)


def names(sight: Sight) -> frozenset[str]:
    """Return the rows the cards match; without a 7 in the first two there is none.

    The third card is the player's own [HM.blazing_player.{3,7,8,8.a,9}] or the dealer's up card
    [HM.blazing_upcard.{3,7,8,8.a}]; it counts only with two sevens.
    """
    first_two, third = sight
    sevens = [card for card in first_two if card.rank == SEVEN]
    if len(sevens) < 2:
        return frozenset({"one_7"} if sevens else ())
    return frozenset({"two_7s"} | _three_sevens(tuple(sevens) + third))


def _three_sevens(cards: tuple[Card, ...]) -> set[str]:
    if len(cards) < 3 or cards[2].rank != SEVEN:
        return set()
    matches = {
        "three_7s_diamonds": all(card.suit == Suit.DIAMONDS for card in cards),
        "three_7s_suited": of_one_suit(cards),
        "three_7s_same_color": of_one_color(cards),
        "three_7s": True,
    }
    return {name for name, holds in matches.items() if holds}
