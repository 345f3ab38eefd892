"""Blazing 7's: sevens in the first two cards, and in a third that the variant names."""

from feltwork.titles.jackpots.blazing_7s import rules
from feltwork.titles.title import Jackpot

TITLE = Jackpot(
    name="blazing_7s",
    title="Blazing 7's Jackpot",
    letter="HM",
    views={"player_cards": ("first_two_and_third",), "dealer_up_card": ("first_two_and_up",)},
    names=rules.names,
    rows=rules.ROWS,
    decks=(6, 8),
    odds="feltwork.odds.titles.blazing_7s",
)
