"""Side bets on the first cards out of a shoe, counted card by card through their own rules."""

from functools import cache

from feltwork.odds.atoms import Atoms, Names, count_sights
from feltwork.titles import registry
from feltwork.titles.games.blackjack.rules import house_money_names
from feltwork.titles.title import Sight

FIRST_TWO = (2,)
FIRST_TWO_AND_UP = (2, 1)


@cache
def house_money(decks: int) -> Atoms:
    """House Money: the player's first two cards."""
    return count_sights(decks, FIRST_TWO, _house_money_sight)


def _house_money_sight(sight: Sight) -> Names:
    return house_money_names(sight[0])


@cache
def blackjack_jackpot(jackpot: str, decks: int) -> Atoms:
    """A jackpot that looks at the player's first two cards and the dealer's up card."""
    return count_sights(decks, FIRST_TWO_AND_UP, registry.jackpot(jackpot).names)
