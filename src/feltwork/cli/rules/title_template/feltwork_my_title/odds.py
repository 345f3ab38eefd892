"""The odds of My Title: Ante and Play with the best decision, and the Bonus."""

from collections.abc import Hashable
from functools import cache

from feltwork.odds.atoms import Atoms, count_hands
from feltwork.odds.small_game import SmallGame
from feltwork.odds.title_odds import CountedBet
from feltwork.titles.hands.category import Hand, names_of
from feltwork_my_title.rules import ROWS, dealer_qualifies, two_card_hand


@cache
def two_cards() -> Atoms:
    """Count all hands of two cards by the rows they belong to."""
    return count_hands(2, lambda cards: names_of(two_card_hand(cards), ROWS))


def outcome(player: Hand, dealer: Hand) -> Hashable:
    """Return everything that decides the bets: the player's rows, dealer qualification, the higher hand."""
    return names_of(player, ROWS), dealer_qualifies(dealer), player > dealer, player < dealer


GAME = SmallGame(
    "my_title",
    sizes=(2, 2),
    value=two_card_hand,
    outcome=outcome,
    counted_by=("feltwork_my_title.odds",),
    side_bets={
        "bonus": CountedBet(
            atoms=two_cards,
            method="all 1,326 two-card hands, named by the rules",
            figures=("house_edge", "hit_frequency"),
        )
    },
)
ODDS = GAME.odds()
