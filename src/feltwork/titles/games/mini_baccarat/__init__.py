"""Mini-Baccarat: two hands for the whole table, drawn by a fixed table, with the Dragon Bonus on either."""

from feltwork.titles.games.mini_baccarat import columns, rules
from feltwork.titles.title import Game, Option, Wager

TITLE = Game(
    name="mini_baccarat",
    title="Mini-Baccarat with Dragon Bonus",
    letter="DB",
    wagers=(
        Wager("player", "the Player hand ends nearer to nine; even money", cites="DB.introduction.limits"),
        Wager(
            "banker",
            "the Banker hand ends nearer to nine; even money less 5% commission",
            cites="DB.introduction.limits",
        ),
        Wager("tie", "both hands end alike", cites="DB.introduction.limits"),
        Wager(
            "dragon_bonus_player",
            "optional; the Player hand wins with a natural or by four points or more",
            paytable="dragon_bonus",
            cites="DB.introduction.limits",
        ),
        Wager(
            "dragon_bonus_banker",
            "optional; the Banker hand wins with a natural or by four points or more",
            paytable="dragon_bonus",
            cites="DB.introduction.limits",
        ),
    ),
    base=rules.BASE,
    table_cards={"player": 0, "banker": 0},
    seat_cards=0,
    voids_on_misdeal=False,
    max_seats=9,
    views={"final_hands": rules.final_hands},
    check=rules.check,
    settle=rules.settle,
    columns=columns.columns,
    play=rules.play,
    rule_of_thumb=rules.rule_of_thumb,
    rows={"dragon_bonus": rules.ROWS},
    openings=(("banker", "dragon_bonus_banker"), ("player", "dragon_bonus_player"), ("player", "tie")),
    options=(
        Option("decks", (8, 1, 4, 6), "how many decks the shoe holds"),
        Option("tie_pays", (8, 9), "what a Tie wager wins for each unit"),
        Option(
            "dragon_bonus_needs_base",
            (False, True),
            "whether Dragon Bonus may only be made beside a Player, Banker or Tie wager",
        ),
    ),
    odds="feltwork.odds.titles.mini_baccarat",
)
