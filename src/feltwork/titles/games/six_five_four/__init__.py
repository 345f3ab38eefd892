"""6-5-4 Poker: five cards against a dealer whose up card decides whether six, five or four cards play."""

from feltwork.titles import views
from feltwork.titles.games.six_five_four import columns, rules
from feltwork.titles.hands.four_card import ROWS
from feltwork.titles.title import Game, Option, Size, Wager

TITLE = Game(
    name="six_five_four",
    title="6-5-4 Poker",
    letter="SF",
    wagers=(
        Wager(
            "ante", "mandatory; the bet against the dealer, on which the Ante Bonus rides", cites="SF.deal.1"
        ),
        Wager(
            "play", "exactly one Ante; without it the hand is folded", size=Size("ante"), cites="SF.deal.5.b"
        ),
        Wager(
            "queens_up",
            "optional; a pair of queens or better, folded or not",
            paytable="queens_up",
            cites="SF.deal.1.c",
        ),
    ),
    base=("ante",),
    table_cards={"dealer": 6},
    seat_cards=5,
    voids_on_misdeal=True,
    max_seats=9,
    views={"best_four_of_five": views.own_cards, "five_dealt": views.own_cards},
    check=rules.check,
    settle=rules.settle,
    columns=columns.columns,
    play=rules.play,
    rule_of_thumb=rules.rule_of_thumb,
    rows=dict.fromkeys(("ante_bonus", "queens_up"), frozenset(ROWS)),
    folded=rules.folded,
    openings=(("ante", "queens_up"),),
    riding=("ante_bonus",),
    options=(Option("decks", (1,), "one standard deck"),),
    odds="feltwork.odds.titles.six_five_four",
)
