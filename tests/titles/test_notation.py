"""The round notation: what it tolerates, and how it says what it cannot read."""

import json

import pytest

from feltwork.problem import ProblemsError
from feltwork.titles.notation import read_round, round_from

JACKPOT = {"jackpot": "four_card", "paytable": "1", "meters": {"jackpot": "25000"}}
SEAT = {
    "seat": 1,
    "cards": "Jh Jd 4c 7s 3d",
    "wagers": {"ante": "10", "super_bonus": "10", "play": "10"},
    "jackpots": ["four_card"],
}
ROUND: dict[str, object] = {
    "game": "crazy_4",
    "paytables": {"super_bonus": "C4P-09"},
    "dealer": "Ks Qd 9h 8c 2d",
    "jackpots": [JACKPOT],
    "seats": [SEAT],
}


def seat(**changed: object) -> dict[str, object]:
    return {**ROUND, "seats": [{**SEAT, **changed}]}


@pytest.mark.parametrize(
    "written",
    [
        {**ROUND, "options": None},
        {**ROUND, "options": {"decks": "1"}},
        seat(seat="1"),
        seat(wagers={"ante": 10, "super_bonus": 10.0, "play": "$10.00"}),
        seat(cards=["Jh", "jd", "4C", "7s", "3d"]),
        {**ROUND, "dealer": "ks, qd, 9h, 8c, 2d"},
    ],
)
def test_the_same_round_may_be_written_in_several_ways(written: dict[str, object]) -> None:
    assert round_from(written).seats == round_from(ROUND).seats
    assert read_round("\ufeff" + json.dumps(written)).seats == round_from(ROUND).seats


@pytest.mark.parametrize(
    ("written", "where", "what"),
    [
        ({**ROUND, "jackpots": [{**JACKPOT, "wager": "0"}]}, "jackpots[0].wager", "needs a wager"),
        (seat(seat="ten"), "seats[0].seat", "ten is not a seat"),
        (seat(seat=None), "seats[0].seat", "missing"),
        (seat(wagers={"ante": "-1"}), "seats[0].wagers.ante", "not an amount"),
        (seat(jackpots=["mega"]), "seats[0].jackpots", "not on this table"),
        ({**ROUND, "options": {"decks": 2}}, "options.decks", "2 is not allowed"),
        ({**ROUND, "felt": "green"}, "felt", "is not a known key"),
        ({**ROUND, "seats": []}, "seats", "there are no seats"),
    ],
)
def test_a_problem_says_where_what_and_what_to_do(written: dict[str, object], where: str, what: str) -> None:
    with pytest.raises(ProblemsError) as error:
        round_from(written)
    problems = [problem for problem in error.value.problems if problem.where == where]
    assert problems, error.value.problems
    assert what in problems[0].what
    assert problems[0].remedy


@pytest.mark.parametrize("text", ["", "[" * 100_000, "{" * 50, "game = ", '{"game": "crazy_4"'])
def test_broken_text_is_a_problem_and_no_crash(text: str) -> None:
    with pytest.raises(ProblemsError):
        read_round(text)
