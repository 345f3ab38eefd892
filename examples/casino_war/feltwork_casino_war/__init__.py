"""Casino War: one card against the dealer's, war or surrender after a tie, and a bet on the tie."""

from feltwork.titles.title import Game, Option, Size, Wager
from feltwork_casino_war import rules

TITLE = Game(
    name="casino_war",
    title="Casino War",
    letter="",  # no letter holds its rules: they are public
    wagers=(
        Wager("ante", "the player's card beats the dealer's; even money"),
        Wager("war", "exactly one Ante after a tie; without it the hand is surrendered", size=Size("ante")),
        Wager("tie", "optional; the first two cards tie", paytable="tie"),
    ),
    base=("ante",),
    table_cards={"dealer": 0},
    seat_cards=1,
    voids_on_misdeal=False,
    max_seats=7,
    views={},
    check=rules.check,
    settle=rules.settle,
    play=rules.play,
    rule_of_thumb=rules.rule_of_thumb,
    rows={"tie": frozenset({"tie"})},
    folded=rules.surrendered,
    openings=(("ante",), ("ante", "tie")),
    options=(
        Option("decks", (6, 8), "how many decks the shoe holds"),
        Option("second_tie_bonus", (False, True), "whether a tie in the war also pays one Ante"),
    ),
    odds="feltwork_casino_war.odds",
)
