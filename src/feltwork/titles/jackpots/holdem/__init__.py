"""The hold'em jackpot: two hole cards and the board, the earlier a royal is complete the better.

It serves a single table or several tables of the one game that it fits [TH.{aquarius,nexus}.use].
"""

from feltwork.titles.jackpots.holdem import rules
from feltwork.titles.title import Jackpot

TITLE = Jackpot(
    name="holdem",
    title="Texas Hold'em Progressive",
    letter="TH",
    views={"": ("hole_and_board",)},
    names=rules.names,
    rows=rules.ROWS,
    odds="feltwork.odds.titles.holdem",
)
