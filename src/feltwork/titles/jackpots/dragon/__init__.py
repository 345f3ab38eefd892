"""The Dragon jackpot: how the winning baccarat hand was made, for those who backed it."""

from feltwork.titles.jackpots.dragon import rules
from feltwork.titles.title import Jackpot, Option

TITLE = Jackpot(
    name="dragon",
    title="Dragon Bonus Progressive",
    letter="DB",
    views={"": ("final_hands",)},
    names=rules.names,
    rows=frozenset(rules.HANDS),
    backs=rules.backs,
    divides_shares=True,
    aquarius_start="START GAME",  # DB.aquarius.2
    options=(
        Option(
            "share_with",
            ("all_bettors", "winning_side"),
            "who shares a percentage prize that the winning side has won: all jackpot bettors of the table "
            "[DB.{aquarius,nexus}.7.b], or by internal controls those of the winning side",
            required=True,
        ),
    ),
    odds="feltwork.odds.titles.dragon",
)
