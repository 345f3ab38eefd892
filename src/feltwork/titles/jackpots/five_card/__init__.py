"""The five-card jackpot, with envy: one set of meters linked across different five-card poker games.

A game joins by showing five cards of each player [C4.link.use, TH.link.use, C4.link.3, TH.link.4].
"""

from feltwork.titles.hands.five_card import ROWS
from feltwork.titles.jackpots.five_card import rules
from feltwork.titles.title import Jackpot

TITLE = Jackpot(
    name="five_card",
    title="Five Card Link Progressive",
    letter="C4",
    views={"": ("five_dealt", "hole_and_flop")},
    names=rules.names,
    rows=frozenset(ROWS),
    odds="feltwork.odds.titles.five_card",
)
