"""The four-card jackpot: the best four of the player's five cards, with envy."""

from feltwork.titles.hands.four_card import ROWS
from feltwork.titles.jackpots.four_card import rules
from feltwork.titles.title import Jackpot

TITLE = Jackpot(
    name="four_card",
    title="Four Card Progressive",
    letter="C4",
    views={"": ("best_four_of_five",)},
    names=rules.names,
    rows=frozenset(ROWS),
    odds="feltwork.odds.titles.four_card",
)
