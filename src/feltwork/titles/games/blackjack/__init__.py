"""Blackjack by its public rules, with the House Money bet on the first two cards."""

from fractions import Fraction

from feltwork.titles.games.blackjack import check, hand_play, rules, strategy
from feltwork.titles.title import Game, Option, Size, Wager

TITLE = Game(
    name="blackjack",
    title="Blackjack with House Money",
    letter="HM",
    wagers=(
        Wager("bet", "the bet against the dealer", cites="HM.house_money.limits"),
        Wager(
            "insurance",
            "optional, up to half the bet, only against an ace up; 2 to 1 on blackjack",
            size=Size("bet", Fraction(0), Fraction(1, 2)),
        ),
        Wager(
            "house_money",
            "optional; pairs, runs and suited runs in two cards",
            paytable="house_money",
            cites="HM.house_money.limits",
        ),
    ),
    added_wagers=(
        Wager(
            "bet_with_house_money",
            "the bet and the House Money proceeds left on it, one wager from then on",
            size=Size("bet", plus_proceeds_of="house_money"),
            needs="house_money",
            cites="HM.house_money.6.merged",
        ),
        Wager(
            "double",
            "as much again as lies on the hand, or less",
            size=Size("bet", Fraction(0), plus_proceeds_of="house_money"),
            cites="HM.house_money.6.double",
        ),
        Wager(
            "split",
            "as much again as lies on the hand",
            size=Size("bet", plus_proceeds_of="house_money"),
            cites="HM.house_money.6.split",
        ),
    ),
    base=("bet",),
    table_cards={"dealer": 0},
    seat_cards=2,
    voids_on_misdeal=False,
    max_seats=9,
    views={
        "first_two_and_up": rules.first_two_and_up,
        "first_two_and_third": rules.first_two_and_third,
    },
    check=check.check,
    settle=rules.settle,
    play=rules.play,
    rule_of_thumb=strategy.rule_of_thumb,
    rows={"house_money": rules.HOUSE_MONEY_ROWS},
    openings=(("bet", "house_money"), ("bet",)),
    options=(
        Option("decks", (6, 1, 2, 4, 8), "how many decks the shoe holds"),
        Option("soft_17", ("stand", "hit"), "what the dealer does with a soft 17"),
        Option("double_after_split", (True, False), "whether a split hand may be doubled"),
        Option("resplit_to", (4, 3, 2), "how many hands a player may split to"),
        Option("resplit_aces", (False, True), "whether split aces may be split again"),
        Option("hit_split_aces", (False, True), "whether split aces may take more than one card each"),
        Option("surrender", ("none", "late"), "whether two cards may be given up for half the wager"),
        Option("blackjack_pays", ("3 to 2", "6 to 5"), "what a player's blackjack pays"),
        Option("dealer_peeks", (True, False), "whether the dealer looks for blackjack before the play"),
    ),
    seat_fields={
        "play": "what the player did with each card that it drew, like: split 3d double Tc Ks stand",
        "house_money_left": "how much of the House Money proceeds stays on the spot",
    },
    drawn_cards=hand_play.drawn_cards,
    odds="feltwork.odds.titles.blackjack",
)
