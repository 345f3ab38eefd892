"""Every paytable against the table that a letter prints, typed from the letter row by row."""

import pytest

from feltwork import sources
from feltwork.money import DOLLAR
from feltwork.titles import registry

SUPER_BONUS = """four_aces 200 to 1, four_of_a_kind 30 to 1, straight_flush 15 to 1, three_of_a_kind 2 to 1,
    flush 3 to 2, straight 1 to 1"""
ANTE_BONUS = "four_aces 100 to 1, four_of_a_kind 20 to 1, straight_flush 10 to 1"
HOLE_CARDS = """aces 30 to 1, ace_king_suited 25 to 1, ace_queen_or_jack_suited 20 to 1, ace_king_offsuit
    15 to 1,
    high_pair 10 to 1, ace_queen_or_jack_offsuit 5 to 1, low_pair 3 to 1"""
FULL_HOUSE_DOWN = "full_house 50 for 1, flush 40 for 1, straight 30 for 1, three_of_a_kind 9 for 1"
FOUR_CARD_2 = """four_aces 100% of jackpot envy 100, four_of_a_kind 300 for 1 envy 25, straight_flush 100
    for 1,
    three_of_a_kind 15 for 1"""


def queens_up(straight_flush: int, three_of_a_kind: int) -> str:
    return f"""four_of_a_kind 50 to 1, straight_flush {straight_flush} to 1, three_of_a_kind
    {three_of_a_kind} to 1,
        flush 4 to 1, straight 3 to 1, two_pair 2 to 1, queens_or_better 1 to 1"""


#: Paragraphs that print a table, the paytable, and the rows as printed, the hands by our names.
PRINTED = [
    ("C4.paytables.c4p-09", "crazy_4/super_bonus/C4P-09", SUPER_BONUS),
    ("C4.paytables.c4p-09", "crazy_4/queens_up/C4P-09", queens_up(30, 9)),
    ("C4.paytables.c4p-10", "crazy_4/super_bonus/C4P-10", SUPER_BONUS),
    ("C4.paytables.c4p-10", "crazy_4/queens_up/C4P-10", queens_up(40, 8)),
    ("C4.paytables.c4p-11", "crazy_4/super_bonus/C4P-11", SUPER_BONUS),
    ("C4.paytables.c4p-11", "crazy_4/queens_up/C4P-11", queens_up(30, 8)),
    ("C4.paytables.c4p-12", "crazy_4/super_bonus/C4P-12", SUPER_BONUS),
    ("C4.paytables.c4p-12", "crazy_4/queens_up/C4P-12", queens_up(40, 7)),
    (
        "C4.bad_beat.paytable-1",
        "crazy_4/bad_beat/BBB-01",
        """four_of_a_kind 25000 to 1, straight_flush 10000 to 1, three_of_a_kind 200 to 1, flush 50 to 1,
        straight 30 to 1, two_pair 20 to 1""",
    ),
    (
        "C4.bad_beat.paytable-2",
        "crazy_4/bad_beat/BBB-02",
        """straight_flush_or_better 1000 to 1, three_of_a_kind 500 to 1, flush 50 to 1, straight 20 to 1,
        two_pair 15 to 1""",
    ),
    (
        "C4.{aquarius,nexus}.four-card-1",
        "four_card/jackpot/1",
        """four_aces 100% of jackpot envy 100, four_of_a_kind 300 for 1 envy 10, straight_flush 100 for 1
        envy 5,
        three_of_a_kind 9 for 1""",
    ),
    ("C4.{aquarius,nexus}.four-card-2", "four_card/jackpot/2", FOUR_CARD_2),
    ("C4.{aquarius,nexus}.four-card-3", "four_card/jackpot/3", FOUR_CARD_2),
    (
        "{C4,TH}.link.01",
        "five_card/jackpot/01",
        f"""royal_flush 100% of jackpot envy 1000, straight_flush 10% of jackpot envy 300, four_of_a_kind
        300 for 1,
        {FULL_HOUSE_DOWN}""",
    ),
    (
        "{C4,TH}.link.ml01",
        "five_card/jackpot/ML01",
        f"""royal_flush 100% of mega envy 1000, straight_flush 100% of major envy 300, four_of_a_kind 300
        for 1,
        {FULL_HOUSE_DOWN}""",
    ),
    (
        "{C4,TH}.link.ml03",
        "five_card/jackpot/ML03",
        f"""royal_flush 100% of mega envy 1000, straight_flush 100% of major envy 300,
        four_of_a_kind 100% of minor, {FULL_HOUSE_DOWN}""",
    ),
    (
        "DB.paytables.dragon-1",
        "mini_baccarat/dragon_bonus/1",
        """win_by_9 30 to 1, win_by_8 10 to 1, win_by_7 6 to 1, win_by_6 4 to 1, win_by_5 2 to 1, win_by_4
        1 to 1,
        natural_winner 1 to 1, natural_tie push""",
    ),
    (
        "DB.paytables.dragon-2",
        "mini_baccarat/dragon_bonus/2",
        """win_by_9 20 to 1, win_by_8 8 to 1, win_by_7 7 to 1, win_by_6 4 to 1, win_by_5 3 to 1, win_by_4 1
        to 1,
        natural_winner 1 to 1, natural_tie push""",
    ),
    (
        "DB.paytables.dragon-3",
        "mini_baccarat/dragon_bonus/3",
        """win_by_9 30 to 1, win_by_8 10 to 1, win_by_6_or_7 4 to 1, win_by_4_or_5 2 to 1, natural_winner 1
        to 1,
        natural_tie push""",
    ),
    (
        "DB.paytables.progressive-1",
        "dragon/jackpot/1",
        """two_three_four_diamonds 100% of jackpot, two_three_four_suited 10% of jackpot, two_three_four
        1000 for 1,
        nine_over_zero 10 for 1""",
    ),
    (
        "DB.paytables.progressive-1.5-dollar",
        "dragon/jackpot/1-5",
        """two_three_four_diamonds 100% of jackpot, two_three_four_suited 10% of jackpot, two_three_four
        1000 to 1,
        nine_over_zero 10 to 1""",
    ),
    (
        "DB.paytables.progressive-2",
        "dragon/jackpot/2",
        """two_three_four_diamonds 100% of jackpot, two_three_four_suited 25% of jackpot, two_three_four
        1000 for 1,
        nine_over_zero 40 for 1, eight_over_zero 20 for 1, natural_win 2 for 1""",
    ),
    (
        "DB.paytables.progressive-3",
        "dragon/jackpot/3",
        "suited_six_card_win_by_9 100% of jackpot, suited_four_card_win_by_9 300 for 1, win_by_9 10 for 1",
    ),
    ("TH.paytables.bonus-1", "holdem_bonus/bonus/1", HOLE_CARDS),
    ("TH.paytables.bonus-2", "holdem_bonus/bonus/2", f"aces_against_aces 1000 to 1, {HOLE_CARDS}"),
    (
        "TH.{aquarius,nexus}.thbp-08",
        "holdem/jackpot/THBP-08",
        """royal_after_5 100% of jackpot, royal_after_6 25% of jackpot, royal_after_7 5% of jackpot,
        community_royal 3000 for 1, straight_flush 250 for 1, four_of_a_kind 100 for 1, full_house 10 for
        1""",
    ),
    (
        "TH.{aquarius,nexus}.qh-11",
        "holdem/jackpot/QH-11",
        """royal_flush 100% of jackpot, community_royal 1000 for 1, straight_flush 250 for 1,
        four_of_a_kind 75 for 1, full_house 10 for 1""",
    ),
    (
        "HM.paytables.house-money-1",
        "blackjack/house_money/1",
        "ace_king_suited 9 to 1, straight_flush 4 to 1, pair 3 to 1, straight 1 to 1",
    ),
    (
        "HM.paytables.house-money-2",
        "blackjack/house_money/2",
        "ace_king_suited 9 to 1, straight_flush 5 to 1, pair 3 to 1, straight 1 to 1",
    ),
    (
        "HM.paytables.blazing-1",
        "blazing_7s/jackpot/1",
        """three_7s_suited 100% of jackpot, three_7s_same_color 10% of jackpot, three_7s 200 for 1, two_7s
        25 for 1,
        one_7 2 for 1""",
    ),
    (
        "HM.paytables.blazing-2",
        "blazing_7s/jackpot/2",
        """three_7s_diamonds 100% of jackpot, three_7s_suited 10% of jackpot, three_7s_same_color 500 for 1,
        three_7s 200 for 1, two_7s 25 for 1, one_7 2 for 1""",
    ),
    (
        "HM.paytables.blazing-ml04",
        "blazing_7s/jackpot/ML04",
        """three_7s_diamonds 100% of major, three_7s_suited 100% of minor, three_7s_same_color 500 for 1,
        three_7s 200 for 1, two_7s 25 for 1, one_7 2 for 1""",
    ),
    (
        "HM.paytables.blazing-ml03",
        "blazing_7s/jackpot/ML03",
        """three_7s_diamonds 100% of mega, three_7s_suited 100% of major, three_7s_same_color 100% of minor,
        three_7s 200 for 1, two_7s 25 for 1, one_7 2 for 1""",
    ),
    (
        "HM.paytables.trilux-6",
        "trilux/jackpot/6",
        """three_aces_suited 100% of jackpot, three_of_a_kind_suited 125 for 1, straight_flush 25 for 1,
        three_of_a_kind 20 for 1, straight 7 for 1, flush 5 for 1""",
    ),
    ("SF.paytables.paytable-1", "six_five_four/ante_bonus/1", ANTE_BONUS),
    ("SF.paytables.paytable-1", "six_five_four/queens_up/1", queens_up(40, 8)),
    ("SF.paytables.paytable-2", "six_five_four/ante_bonus/2", ANTE_BONUS),
    ("SF.paytables.paytable-2", "six_five_four/queens_up/2", queens_up(30, 8)),
    ("SF.paytables.paytable-3", "six_five_four/ante_bonus/3", ANTE_BONUS),
    ("SF.paytables.paytable-3", "six_five_four/queens_up/3", queens_up(40, 7)),
]


@pytest.mark.letter(
    "titles.registry.paytable",
    "C4.paytables.{c4p,c4p-09,c4p-10,c4p-11,c4p-12}",
    "C4.bad_beat.{2,paytable-1,paytable-2}",
    "C4.{aquarius,nexus}.{3,four-card,four-card-1,four-card-2,four-card-3}",
    "{C4,TH}.link.{01,ml01,ml03}",
    "DB.paytables.{dragon-1,dragon-2,dragon-3,progressive-1,progressive-1.5-dollar,progressive-2,progressive-3}",
    "TH.paytables.{bonus,bonus-1,bonus-2}",
    "TH.{aquarius,nexus}.{3,thbp-08,qh-11}",
    "TH.link.3",
    "HM.paytables.{house-money-1,house-money-2,blazing-1,blazing-2,blazing-ml03,blazing-ml04,trilux-6}",
    "HM.trilux.3",
    "SF.paytables.{paytable-1,paytable-2,paytable-3}",
)
@pytest.mark.parametrize(("paragraph", "name", "rows"), PRINTED)
def test_a_paytable_is_as_printed(paragraph: str, name: str, rows: str) -> None:
    paytable = registry.paytable(*name.split("/"))
    own_rows = [
        f"{row.hand} {row.pays}" + (f" envy {row.envy // DOLLAR}" if row.envy else "")
        for row in paytable.rows
    ]
    assert own_rows == " ".join(rows.split()).split(", ")
    cited = sources.citations(" ".join(row.cites for row in paytable.rows))
    assert set(sources.expand(paragraph)) <= set(cited)
