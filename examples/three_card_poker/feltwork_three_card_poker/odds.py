"""The odds of Three Card Poker: Ante and Play with the best decision, and Pair Plus."""

from collections.abc import Hashable
from functools import cache

from feltwork.odds.atoms import Atoms, count_hands
from feltwork.odds.small_game import SmallGame
from feltwork.odds.title_odds import CountedBet
from feltwork.titles.hands.category import Hand, names_of
from feltwork.titles.hands.three_card import three_card_hand
from feltwork_three_card_poker.rules import ROWS, dealer_qualifies


@cache
def three_cards() -> Atoms:
    """Count all hands of three cards by the rows they belong to."""
    return count_hands(3, lambda cards: names_of(three_card_hand(cards), ROWS))


def outcome(player: Hand, dealer: Hand) -> Hashable:
    """What decides every bet: the player's rows, whether the dealer qualifies, and who is higher."""
    return names_of(player, ROWS), dealer_qualifies(dealer), player > dealer, player < dealer


GAME = SmallGame(
    "three_card_poker",
    sizes=(3, 3),
    value=three_card_hand,
    outcome=outcome,
    counted_by=("feltwork_three_card_poker.odds",),
    bonuses={"ante_bonus": three_cards},
    side_bets={
        "pair_plus": CountedBet(
            atoms=three_cards,
            method="all 22,100 three-card hands, named by the rules",
            figures=("house_edge", "hit_frequency"),
        )
    },
)
ODDS = GAME.odds()
