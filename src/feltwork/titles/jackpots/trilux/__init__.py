"""TriLux: a three-card hand of the player's first two cards and the dealer's up card."""

from feltwork.titles.jackpots.trilux import rules
from feltwork.titles.title import Jackpot

TITLE = Jackpot(
    name="trilux",
    title="TriLux Blackjack Jackpot",
    letter="HM",
    views={"": ("first_two_and_up",)},
    names=rules.names,
    rows=rules.ROWS,
    decks=(6, 8),
    odds="feltwork.odds.titles.trilux",
)
