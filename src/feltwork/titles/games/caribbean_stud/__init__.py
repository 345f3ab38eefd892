"""Caribbean Stud Poker: five cards against the dealer's five, and Cover All on the table's best hand."""

from fractions import Fraction

from feltwork.titles import views
from feltwork.titles.games.caribbean_stud import columns, rules
from feltwork.titles.hands.five_card import ROWS
from feltwork.titles.title import Game, Option, Size, Wager

TITLE = Game(
    name="caribbean_stud",
    title="Caribbean Stud Poker",
    letter="C4",
    wagers=(
        Wager("ante", "mandatory; the bet against the dealer"),
        Wager(
            "raise",
            "exactly two Antes; without it the hand is folded",
            paytable="raise",
            size=Size("ante", Fraction(2), Fraction(2)),
        ),
        Wager("cover_all", "optional; three of a kind or better anywhere on the table", paytable="cover_all"),
    ),
    base=("ante",),
    table_cards={"dealer": 5},
    seat_cards=5,
    voids_on_misdeal=True,
    max_seats=7,
    views={"five_dealt": views.own_cards},
    check=rules.check,
    settle=rules.settle,
    columns=columns.columns,
    play=rules.play,
    rule_of_thumb=rules.rule_of_thumb,
    rows={"raise": frozenset(rules.RAISE_ROWS), "cover_all": frozenset(ROWS)},
    folded=rules.folded,
    openings=(("ante", "cover_all"),),
    options=(
        Option("decks", (1,), "one standard deck"),
        Option(
            "cover_all_on_fold", (True, False), "whether Cover All stays in action when its hand is folded"
        ),
    ),
    chosen_by_deal=("cover_all",),
    odds="feltwork.odds.titles.caribbean_stud",
)
