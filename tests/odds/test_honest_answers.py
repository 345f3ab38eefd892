"""Answers that were wrong or silent: what is not exact says so, and what means nothing is refused."""

from fractions import Fraction

import pytest

from feltwork.odds.report import base_report
from feltwork.odds.returns import Crowd, returns
from feltwork.odds.what_if.fields import before_and_after, question_from
from feltwork.odds.what_if.goal_seek import goal_seek
from feltwork.odds.what_if.question import usual
from feltwork.odds.what_if.what_if import what_if
from feltwork.problem import ProblemsError
from feltwork.titles import registry

FOUR_ACES = registry.paytable("four_card", "jackpot", "3")
ROYAL = registry.paytable("five_card", "jackpot", "01")
FLUSHES = registry.paytable("crazy_4", "queens_up", "C4P-09")


def test_blackjack_is_numeric_with_its_error() -> None:
    edge = base_report("blackjack", {}).computed["house edge"]
    assert (edge.how, edge.error) == ("numeric", Fraction(1, 10**12))
    assert edge.value.denominator <= 10**13
    assert "value" not in edge.as_json()


def test_envy_widens_the_spread_by_a_bounded_amount() -> None:
    alone, with_others = (what_if(question_from(FOUR_ACES, {"others": others})).bet for others in ("0", "5"))
    assert alone["variance"].how == "exact"
    assert with_others["variance"].how == "numeric"
    # Five hands pay envy of $100 on four aces and of $25 on other quads, each nearly on its own.
    aces, quads = (Fraction(hands, 2_598_960) for hands in (48, 576))
    envy = 5 * (aces * 100**2 + quads * 25**2 - (aces * 100 + quads * 25) ** 2)
    added = with_others["variance"].value - alone["variance"].value
    assert added == envy
    assert 0 < with_others["variance"].error < Fraction(1, 2)
    assert with_others["standard_deviation"].how == "numeric"


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"others": "19"}, "players"),
        ({"seats": "20"}, "seats"),
        ({"seats": "8", "game": "caribbean_stud"}, "seats"),
        ({"contribution.jackpot": "0.24"}, r"contribution\.jackpot"),
        ({"folded_hands_qualify": "false"}, "folded_hands_qualify"),
        ({"several_winners": "split"}, "several_winners"),
    ],
)
def test_what_no_table_can_mean_is_refused(fields: dict[str, str], where: str) -> None:
    paytable = ROYAL if fields.get("game") else FOUR_ACES
    with pytest.raises(ProblemsError, match=where):
        what_if(question_from(paytable, fields))


def test_options_without_an_effect_are_refused() -> None:
    with pytest.raises(ProblemsError, match="envy_from: trilux/jackpot/6 pays no envy"):
        what_if(question_from(registry.paytable("trilux", "jackpot", "6"), {"envy_from": "bettors"}))
    with pytest.raises(ProblemsError, match="always divides"):
        what_if(question_from(registry.paytable("dragon", "jackpot", "2"), {"several_winners": "split"}))
    folded = what_if(question_from(ROYAL, {"folded_hands_qualify": "false", "game": "caribbean_stud"}))
    assert folded.bet["hold"].value >= what_if(usual(ROYAL)).bet["hold"].value


@pytest.mark.parametrize(
    ("fields", "figure"),
    [
        ({"tables": "3"}, "jackpot.hours_to_hit"),
        ({"betting": "25%"}, "jackpot.hours_to_hit"),
        ({"others": "5"}, "hold"),
    ],
)
def test_a_change_of_the_floor_has_a_before_and_an_after(fields: dict[str, str], figure: str) -> None:
    answers = [what_if(question) for question in before_and_after(FOUR_ACES, fields)]
    level, _, name = figure.rpartition(".")
    before, after = (answer.meters[level][name] if level else answer.bet[name] for answer in answers)
    assert before.value != after.value


def test_a_change_of_decks_has_a_before_and_an_after() -> None:
    paytable = registry.paytable("blackjack", "house_money", "1")
    before, after = before_and_after(paytable, {"decks": "2"})
    assert (before.options["decks"], after.options["decks"]) == ("6", "2")


def test_an_answer_states_its_terms() -> None:
    terms = what_if(question_from(FOUR_ACES, {"tables": "3"})).as_json()["terms"]
    assert isinstance(terms, dict)
    stated = {"wager": "1.00", "seed.jackpot": "2000.00", "contribution.jackpot": "24%", "tables": "3"}
    assert stated.items() <= terms.items()
    assert (terms["reserve.jackpot"], terms["rounds_per_hour"], terms["hours_a_day"]) == ("5%", "50", "24")


def test_no_break_even_above_the_cap() -> None:
    capped = what_if(question_from(FOUR_ACES, {"cap.jackpot": "20000"}))
    assert "break_even_meter" not in capped.meters["jackpot"]
    assert "jackpot: a wager would break even at $27,898.33, which is above the cap." in capped.notes
    higher = what_if(question_from(FOUR_ACES, {"cap.jackpot": "30000"}))
    assert "break_even_meter" in higher.meters["jackpot"]


@pytest.mark.parametrize("policy", ["split", "each_in_full"])
def test_three_winners_are_within_the_error(policy: str) -> None:
    question = question_from(ROYAL, {"others": "5", "several_winners": policy})
    hold = what_if(question).bet["hold"]
    assert hold.how == "numeric"
    assert 0 < hold.error < Fraction(1, 5_000)
    # With two bettors there is no third winner.
    pair = question_from(ROYAL, {"others": "1", "several_winners": policy})
    assert what_if(pair).bet["hold"].how == "exact"
    assert returns(pair.offer, Crowd(2, 2)).award_error == {"jackpot": 0}


@pytest.mark.parametrize("reserve", ["0%", "5%"])
def test_how_often_a_hit_pays_more_than_an_amount(reserve: str) -> None:
    terms = {"reserve.jackpot": reserve}
    half = what_if(question_from(FOUR_ACES, terms)).meters["jackpot"]["jackpot_50"].value
    often = what_if(question_from(FOUR_ACES, {**terms, "above.jackpot": f"{float(half):.2f}"}))
    assert float(often.meters["jackpot"]["jackpot_above"].value) == pytest.approx(0.5, abs=1e-4)
    for amount, sure in (("1999", 1), ("1000000", 0)):
        figure = what_if(question_from(FOUR_ACES, {**terms, "above.jackpot": amount}))
        assert float(figure.meters["jackpot"]["jackpot_above"].value) == pytest.approx(sure, abs=1e-9)


def test_a_row_that_pays_less_than_a_more_frequent_one_is_remarked() -> None:
    remark = "three of a kind pays less than flush, which comes more often."
    draft = what_if(question_from(FLUSHES, {"pays.three_of_a_kind": "1 to 1", "pays.two_pair": "3 to 1"}))
    assert draft.notes == (remark,)
    # The straight of the released table pays less than its flush, by the order of the letter.
    assert what_if(usual(FLUSHES)).notes == ()
    search = goal_seek(FLUSHES, {}, "house_edge=5%", {"two_pair": "1..9"})
    assert any(solution.remarks for solution in search.solutions)
    assert not all(solution.remarks for solution in search.solutions)
