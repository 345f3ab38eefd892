"""Texas Hold'em Bonus: two hole cards and a shared board, head to head against the dealer."""

from fractions import Fraction

from feltwork.titles.games.holdem_bonus import columns, rules
from feltwork.titles.title import Game, Option, Size, Wager

TITLE = Game(
    name="holdem_bonus",
    title="Texas Hold'em Bonus",
    letter="TH",
    wagers=(
        Wager(
            "ante",
            "the bet that starts the round; wins only with a hand that meets the house's criterion",
            cites="TH.irregularities.limits",
        ),
        Wager(
            "flop",
            "two Antes, before the board; without it the hand is folded",
            size=Size("ante", Fraction(2), Fraction(2)),
            cites="TH.deal.4.b",
        ),
        Wager(
            "turn",
            "one Ante, after the first three cards of the board, or a check",
            size=Size("ante"),
            cites="TH.deal.7.b",
        ),
        Wager(
            "river",
            "one Ante, after the fourth card of the board, or a check",
            size=Size("ante"),
            cites="TH.deal.9.b",
        ),
        Wager(
            "bonus",
            "optional; a pocket pair, or an ace with a king, queen or jack",
            paytable="bonus",
            cites="TH.irregularities.limits",
        ),
    ),
    base=("ante",),
    table_cards={"dealer": 2, "board": 5},
    seat_cards=2,
    voids_on_misdeal=True,
    max_seats=9,
    views={"hole_and_flop": rules.hole_and_flop, "hole_and_board": rules.hole_and_board},
    check=rules.check,
    settle=rules.settle,
    columns=columns.columns,
    play=rules.play,
    rule_of_thumb=rules.rule_of_thumb,
    rows={"bonus": frozenset({rules.ACES_AGAINST_ACES, *rules.BONUS_ROWS})},
    folded=rules.folded,
    openings=(("ante", "bonus"),),
    options=(
        Option("decks", (1,), "one standard deck"),
        Option(
            "ante_wins_with", tuple(rules.ANTE_WINS_WITH), "the lowest winning hand that the Ante pays on"
        ),
    ),
    empty_when_all_fold=frozenset({"board"}),
    odds="feltwork.odds.titles.holdem_bonus",
)
