"""The odds of Three Card Poker: Pair Plus, over all 22,100 hands."""

from functools import cache

from feltwork.hands.category import names_of
from feltwork.hands.three_card import three_card_hand
from feltwork.odds.atoms import Atoms, count_hands
from feltwork.odds.title_odds import CountedBet, TitleOdds
from feltwork_three_card_poker.rules import ROWS


@cache
def pair_plus() -> Atoms:
    """Count all hands of three cards by the rows they belong to."""
    return count_hands(3, lambda cards: names_of(three_card_hand(cards), ROWS))


ODDS = TitleOdds(
    bets={
        "pair_plus": CountedBet(
            atoms=pair_plus,
            method="all 22,100 three-card hands, named by the rules",
            figures=("house_edge", "hit_frequency"),
        )
    },
)
