"""My Title: two cards against the dealer's two, and a bonus for the player's own hand."""

from feltwork.titles.title import Game, Option, Size, Wager
from feltwork_my_title import rules

TITLE = Game(
    name="my_title",
    title="My Title",
    letter="",  # the rules are public: no approval letter holds them
    wagers=(
        Wager("ante", "the bet against the dealer"),
        Wager("play", "exactly one Ante; without it the hand is folded", size=Size("ante")),
        Wager("bonus", "optional; a straight or better, whatever the dealer holds", paytable="bonus"),
    ),
    base=("ante",),
    table_cards={"dealer": 2},
    seat_cards=2,
    voids_on_misdeal=True,
    max_seats=7,
    views={},
    check=rules.check,
    settle=rules.settle,
    play=rules.play,
    rule_of_thumb=rules.rule_of_thumb,
    rows={"bonus": frozenset(rules.ROWS)},
    folded=rules.folded,
    openings=(("ante", "bonus"), ("ante",)),
    options=(Option("decks", (1,), "one standard deck"),),
    odds="feltwork_my_title.odds",
)
