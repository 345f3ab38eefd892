"""Crazy 4 Poker: five cards, the best four play, head to head against the dealer."""

from fractions import Fraction

from feltwork.titles import views
from feltwork.titles.games.crazy_4 import columns, rules
from feltwork.titles.hands.four_card import ROWS
from feltwork.titles.title import Game, Option, Size, Wager

TITLE = Game(
    name="crazy_4",
    title="Crazy 4 Poker",
    letter="C4",
    wagers=(
        Wager("ante", "the bet against the dealer; equal to Super Bonus", cites="C4.deal.1"),
        Wager(
            "super_bonus",
            "mandatory; equal to the Ante, paid on a straight or better",
            paytable="super_bonus",
            size=Size("ante"),
            cites="C4.overview.mandatory-bets",
        ),
        Wager(
            "play",
            "one Ante, up to three with a pair of aces or better; without it the hand is folded",
            size=Size("ante", most=Fraction(rules.MOST_PLAY)),
            cites="C4.deal.3",
        ),
        Wager(
            "queens_up",
            "optional; a pair of queens or better",
            paytable="queens_up",
            cites="C4.deal.1.amounts",
        ),
        Wager(
            "bad_beat",
            "optional; two pair or better beaten, on either side",
            paytable="bad_beat",
            cites="C4.deal.1",
        ),
    ),
    base=("ante",),
    table_cards={"dealer": 5},
    seat_cards=5,
    voids_on_misdeal=True,
    max_seats=9,
    views={"best_four_of_five": views.own_cards, "five_dealt": views.own_cards},
    check=rules.check,
    settle=rules.settle,
    columns=columns.columns,
    play=rules.play,
    rule_of_thumb=rules.rule_of_thumb,
    rows={
        **dict.fromkeys(("super_bonus", "queens_up"), frozenset(ROWS)),
        # Two pair or better, beaten [C4.bad_beat.1].
        "bad_beat": frozenset(ROWS) - {"queens_or_better"},
    },
    folded=rules.folded,
    openings=(("ante", "super_bonus", "queens_up", "bad_beat"),),
    options=(
        Option("decks", (1,), "one standard deck"),
        Option(
            "super_bonus_unqualified",
            ("compare", "push"),
            "Super Bonus below a straight when the dealer does not qualify: still compared, or returned",
        ),
        Option("queens_up_on_fold", (False, True), "whether Queens Up is still paid to a folded hand"),
    ),
    odds="feltwork.odds.titles.crazy_4",
)
