"""Three Card Poker: three cards against the dealer's three, an Ante Bonus that rides, and Pair Plus."""

from feltwork.titles.title import Game, Option, Wager
from feltwork_three_card_poker import rules

TITLE = Game(
    name="three_card_poker",
    title="Three Card Poker",
    letter="",  # no letter holds its rules: they are public
    wagers=(
        Wager("ante", "the bet against the dealer, on which the Ante Bonus rides"),
        Wager("play", "exactly one Ante; without it the hand is folded"),
        Wager("pair_plus", "optional; a pair or better, whatever the dealer holds", paytable="pair_plus"),
    ),
    base=("ante",),
    table_cards={"dealer": 3},
    seat_cards=3,
    voids_on_misdeal=True,
    max_seats=7,
    views={},
    check=rules.check,
    settle=rules.settle,
    play=rules.play,
    rule_of_thumb=rules.rule_of_thumb,
    rows=dict.fromkeys(("ante_bonus", "pair_plus"), frozenset(rules.ROWS)),
    folded=rules.folded,
    openings=(("ante", "pair_plus"), ("ante",)),
    riding=("ante_bonus",),
    options=(Option("decks", (1,), "one standard deck"),),
    odds="feltwork_three_card_poker.odds",
)
