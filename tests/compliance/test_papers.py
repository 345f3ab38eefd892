"""What hangs at a table, what must lie in the bank, what was approved, and how a win is paid."""

import re
from fractions import Fraction

import pytest

from feltwork.money import DOLLAR
from feltwork.site.compliance.approval import differences, operated, unapproved
from feltwork.site.compliance.check import check, rulings_of
from feltwork.site.compliance.funds import Prize, covered_funds, fixed_prizes, odds_prizes
from feltwork.site.compliance.link_odds import percent
from feltwork.site.compliance.payout import HOUR, forms, notify_by, payout_steps
from feltwork.site.compliance.posting import posting_sheet
from feltwork.site.progressive.facts import DAY as ONE_DAY
from tests.compliance.floors import DAY, example, small


def sheet(name: str, table: str) -> str:
    floor = example(name)
    return posting_sheet(floor, floor.table_by_id[table], rulings_of(floor, on=DAY))


@pytest.mark.requirement("WA-28", "GEN-26")
def test_the_posting_sheet_says_limits_prizes_policies_and_disputes() -> None:
    text = sheet("resort", "C4-1")
    for passage in (
        "| Ante | $5.00 | $333.00 | The bet against the dealer",
        "| Play | $5.00 | $999.00 | One Ante, up to three with a pair of aces or better",
        "| Queens up | $1.00 | $25.00 | Optional",
        "## Queens up pays\n\n| Hand | Pays |\n| --- | --- |\n| Four of a kind | 50 to 1 |",
        "Mega starts at $50,000.00; 12% of each wager feeds it, and 2% its reserve",
        "Mega is capped at $1,000,000.00; what exceeds it feeds the reserve",
        "Several winners of one amount are paid from the dealer's right",
        "after 30 days of notice",
        "write to the regulator",
    ):
        assert passage in text


@pytest.mark.requirement("GEN-26")
def test_players_read_what_a_jackpot_returns_and_who_cannot_win_it() -> None:
    text = sheet("resort", "C4-1")
    assert "## Who cannot win\n\nNobody who works at the resort" in text
    assert "Who cannot win" not in sheet("card_room", "C1"), "it is the house's text, or nothing"
    # Four Card, column 3, over the 2,598,960 five-card hands: 48 four aces, 576 other fours, 2,072 straight
    # flushes of four cards, 58,656 threes; 25% of each wager feeds the meter, the seed is 10,000 for 1.
    paid = Fraction(25, 100) + Fraction(48 * 10_000 + 576 * 300 + 2_072 * 100 + 58_656 * 15, 2_598_960)
    assert f"In the long run {percent(paid)} of each wager comes back to the player alone" in text
    assert "What it returns is not stated" in sheet("unwise/odds_not_comparable", "B1")


@pytest.mark.letter("site.compliance.posting.posting_sheet", "HM.paytables.{blazing,trilux}-wager-scale")
@pytest.mark.requirement("LT-13")
def test_prizes_and_envy_are_shown_scaled_to_the_wager() -> None:
    text = sheet("resort", "C4-1")
    assert "| Straight Flush | 100% of major | $1,500.00 |" in text
    assert "| Four of a Kind | $1,500.00 |" in text


@pytest.mark.requirement("WA-28")
def test_every_column_of_cover_all_is_posted_and_the_criterion_of_the_ante() -> None:
    text = sheet("resort", "CS-1")
    assert "| Hand | 2 hands | 3 hands | 4 hands | 5 hands | 6 hands | 7 hands | 8 hands |" in text
    assert "| Flush | 35 to 1 | 20 to 1 | 15 to 1 | 10 to 1 | 9 to 1 | 7 to 1 | 5 to 1 |" in text
    assert "Whether Cover All stays in action when its hand is folded: yes." in text
    assert "A winning Ante is paid even money with a flush or better. With less, it is returned." in sheet(
        "resort", "TH-1"
    )


@pytest.mark.requirement("WA-28")
def test_the_rules_of_money_that_apply_at_the_table_are_posted_and_no_others() -> None:
    text = sheet("card_room", "M1")
    assert "divided among all jackpot bettors at this table if one of them backed the winning side" in text
    assert "Fixed pays come from the tray" in text
    assert "A Tie pays 8 to 1." in text
    assert "Folded hands" not in text, "nobody folds in baccarat"
    assert "Envy" not in text
    assert "Not offered at this table: House money." in sheet("card_room", "B4")


@pytest.mark.requirement("GEN-26")
def test_odds_are_posted_on_request_and_where_the_law_asks() -> None:
    assert "| 1 in 649,740 |" in sheet("resort", "C4-1"), "New Jersey wants them stated"
    floor = example("card_room")
    table, rulings = floor.table_by_id["M1"], rulings_of(floor, on=DAY)
    assert "1 in" not in posting_sheet(floor, table, rulings)
    text = posting_sheet(floor, table, rulings, odds=True)
    assert "| Hand | Pays | Odds, player | Odds, banker |" in text
    assert "| 1 in 314,217.8 | 1 in 376,980.9 |" in text
    assert "| Hand | Pays | Envy | Odds |" in sheet("resort", "C4-1")


@pytest.mark.requirement("LT-10")
def test_whether_folded_hands_count_is_shown() -> None:
    folded = ('cut_off = "stop"', 'cut_off = "stop"\noptions = { folded_hands_qualify = false }')
    for floor, sentence in ((small(), "Folded hands count"), (small(folded), "Folded hands do not count")):
        assert sentence in posting_sheet(floor, floor.tables[0], rulings_of(floor, on=DAY))


@pytest.mark.requirement("WA-02")
def test_a_house_jackpot_is_posted_with_both_disclosures() -> None:
    text = sheet("house_jackpot_room", "B1")
    assert "| Three Aces (Suited) | 100% of jackpot |" in text
    assert "| Three of a Kind (Suited) | $125.00 |" in text, "every row pays"
    assert "Jackpot opens at $5,000.00; every player who wins it gets what is posted then" in text
    assert "In the long run 76.5513% of each wager" in text
    assert "no player money" in text
    assert "removed without notice" in text


@pytest.mark.requirement("WA-19")
def test_the_second_highest_of_the_large_odds_prizes_is_covered() -> None:
    rulings = rulings_of(small(), on=DAY)
    prizes = [
        Prize(table="T", bet="b", hand=hand, amount=dollars * DOLLAR)
        for hand, dollars in (("a", 90_000), ("b", 60_000), ("c", 30_000), ("d", 25_000))
    ]
    assert covered_funds(prizes, rulings) == 60_000 * DOLLAR
    assert covered_funds(prizes[2:], rulings) == 0, "one prize above $25,000 needs no second"
    assert covered_funds([prizes[0], prizes[0]], rulings) == 0, "the same prize at two tables is one"


@pytest.mark.requirement("WA-19")
def test_odds_prizes_are_those_of_the_highest_wager_within_the_tables_limits() -> None:
    highest = {prize.bet: prize for prize in reversed(odds_prizes(small()))}
    assert odds_prizes(small())[0] == highest["super_bonus"]
    assert (highest["super_bonus"].hand, highest["super_bonus"].amount) == ("four_aces", 200 * 100 * DOLLAR)
    assert (highest["queens_up"].hand, highest["queens_up"].amount) == ("four_of_a_kind", 50 * 25 * DOLLAR)
    limited = small(('highest_wager = "300.00"', 'highest_wager = "300.00"\ntable_aggregate = "1000.00"'))
    assert odds_prizes(limited)[0].amount == 1_000 * DOLLAR
    text = posting_sheet(limited, limited.tables[0], rulings_of(limited, on=DAY))
    assert "All wins of a round together come to at most $1,000.00" in text
    assert "If wins exceed this limit, they are paid in proportion" in text
    assert "One player's wins" not in text, "no limit, no line"
    limited = small(('highest_wager = "300.00"', 'highest_wager = "300.00"\nplayer_aggregate = "800.00"'))
    text = posting_sheet(limited, limited.tables[0], rulings_of(limited, on=DAY))
    assert "One player's wins of a round come to at most $800.00" in text
    assert "All wins of a round together" not in text
    assert "If wins exceed this limit, they are paid in proportion" in text


@pytest.mark.requirement("WA-28")
def test_a_list_below_a_table_stands_apart_from_it() -> None:
    text = sheet("card_room", "M1")
    assert not re.search(r"\|\n- ", text), "it would be a row of the table"
    assert re.search(r"\|\n\n- ", text)
    assert "\n\n\n" not in text


@pytest.mark.requirement("WA-19", "WA-34")
def test_the_check_tells_what_prizes_may_cost_at_once() -> None:
    notes = {
        finding.requirement: finding.what
        for finding in check(example("card_room"), on=DAY)
        if finding.severity == "note"
    }
    assert notes["WA-19"] == (
        "the second-highest prize above $25,000.00 is $50,000.00: straight flush of bad beat at C1"
    )
    assert "may cost" in notes["WA-34"]
    dollar = check(small(), on=DAY)
    assert "WA-19" not in {finding.requirement for finding in dollar}, "no prize of that room is that large"
    (fixed,) = (finding for finding in dollar if finding.requirement == "WA-34")
    assert fixed.what.startswith("four aces on ")
    assert "may cost $3,000.00 besides the meter" in fixed.what


@pytest.mark.requirement("WA-34", "LT-13")
def test_fixed_prizes_are_reported_with_envy_at_a_full_table() -> None:
    """Four aces: envy of $100 a dollar, $5 wagers, six others; four of a kind: 300 for 1, envy $25."""
    floor = small()
    (link,) = floor.links
    costs = {prize.hand: prize.amount for prize in fixed_prizes(floor, link)}
    assert costs == {
        "four_aces": 6 * 500 * DOLLAR,
        "four_of_a_kind": 1_500 * DOLLAR + 6 * 125 * DOLLAR,
        "straight_flush": 500 * DOLLAR,
        "three_of_a_kind": 75 * DOLLAR,
    }


@pytest.mark.requirement("LT-16")
def test_what_is_operated_is_held_against_what_was_approved() -> None:
    approved = small()
    now = small(('contribution = "20%"', 'contribution = "22%"'), ('paytable = "3"', 'paytable = "2"'))
    changes = {
        difference.where: (difference.approved, difference.operated)
        for difference in differences(approved, now)
    }
    assert changes.keys() == {"link four-aces, jackpot, contribution", "link four-aces, paytable"}
    assert changes["link four-aces, jackpot, contribution"] == ("20%", "22%")
    assert differences(approved, small()) == ()
    assert "table C1, options, queens_up_on_fold" in operated(approved)
    (limit,) = differences(approved, small(('queens_up = "25.00"', 'queens_up = "20.00"')))
    assert limit.where == "table C1, limits, queens_up"


@pytest.mark.requirement("WA-31")
def test_a_component_that_is_not_on_the_list_is_named() -> None:
    approved = {"feltwork": "a" * 64, "controller": "b" * 64}
    assert unapproved(approved, approved) == ()
    changed, unknown = unapproved(approved, {"feltwork": "c" * 64, "gadget": "d" * 64})
    assert changed.requirement == "WA-31"
    assert "approved is aaaaaaaaaaaa" in changed.what
    assert (unknown.where, unknown.what) == ("gadget", "runs as dddddddddddd")


@pytest.mark.requirement("WA-24")
def test_a_win_is_paid_by_a_check_list() -> None:
    rulings = rulings_of(small(), on=DAY)

    def names(dollars: int) -> list[str]:
        return [step.name for step in payout_steps(dollars * DOLLAR, rulings=rulings, confirmed_at=0)]

    assert names(499) == ["record", "exclusion"]
    assert names(500) == ["record", "countdown", "seal", "exclusion"]
    assert names(5_000) == ["record", "countdown", "seal", "exclusion"]
    assert names(5_001) == ["record", "countdown", "seal", "exclusion", "check"]
    assert forms(5_000 * DOLLAR, rulings=rulings) == ("chips", "cash", "check")
    assert forms(5_001 * DOLLAR, rulings=rulings) == ("check",)
    *_, seal, _, check = payout_steps(9_000 * DOLLAR, rulings=rulings, confirmed_at=ONE_DAY)
    assert (seal.by, check.by) == (8 * ONE_DAY, 2 * ONE_DAY)


@pytest.mark.requirement("WA-32")
def test_times_run_from_the_moment_somebody_knew() -> None:
    washington, elsewhere = (
        rulings_of(small(*change), on=DAY) for change in ((), (('"wa_cardroom"', '"generic"'),))
    )
    assert notify_by(0, rulings=washington) == 72 * HOUR
    assert notify_by(0, rulings=elsewhere) is None
    assert notify_by(0, rulings=washington, rule="exclusion_hours") == 72 * HOUR
