"""Goal seek: against edges added up by hand from closed counts, for every combination in the ranges."""

from fractions import Fraction
from itertools import product

import pytest

from feltwork.odds.what_if.draft import edited
from feltwork.odds.what_if.fields import question_from
from feltwork.odds.what_if.goal_seek import goal_seek
from feltwork.odds.what_if.what_if import what_if
from feltwork.problem import ProblemsError
from feltwork.titles import registry

QUEENS_UP = registry.paytable("crazy_4", "queens_up", "C4P-09")
FOUR_ACES = registry.paytable("four_card", "jackpot", "3")
#: The best four of five cards, as published for four-card games; of 2,598,960 hands.
HANDS = {"four_of_a_kind": 624, "straight_flush": 2_072, "three_of_a_kind": 58_656, "flush": 114_616}
HANDS |= {"straight": 101_808, "two_pair": 123_552}
DEALS = 2_598_960


def edge(pays: dict[str, int]) -> Fraction:
    """The house edge of Queens Up, pay by pay."""
    pays_by_hand = {row.hand: row.pays.wins for row in QUEENS_UP.rows}  # type: ignore[union-attr]
    queens = next(hand for hand in pays_by_hand if hand not in HANDS)
    # The rest of the hit frequency, 24.7885%, is a pair of queens or better.
    count = {**HANDS, queens: 644_244 - sum(HANDS.values())}
    returned = (Fraction(count[hand], DEALS) * ({**pays_by_hand, **pays}[hand] + 1) for hand in pays_by_hand)
    return 1 - sum(returned, Fraction(0))


def test_every_combination_is_tried_and_the_nearest_comes_first() -> None:
    search = goal_seek(QUEENS_UP, {}, "house_edge=5%", {"flush": "3..6", "straight": "2..5"})
    by_hand: dict[tuple[int, ...], Fraction] = {
        (flush, straight): edge({"flush": flush, "straight": straight})
        for flush, straight in product(range(3, 7), range(2, 6))
    }
    assert {tuple(solution.pays.values()): solution.figure.value for solution in search.solutions} == by_hand
    away = [
        abs(by_hand[solution.pays["flush"], solution.pays["straight"]] - Fraction(5, 100))
        for solution in search.solutions
    ]
    assert away == sorted(away) == [solution.distance for solution in search.solutions]
    assert search.combinations == 16
    first = search.as_json()["solutions"][0]  # type: ignore[index]
    assert first["pays"] == {"flush": 3, "straight": 4}
    assert first["written"] == {"flush": "3 to 1", "straight": "4 to 1"}
    assert first["house_edge"]["value"] == str(edge({"flush": 3, "straight": 4}))


def test_a_jackpot_keeps_its_form_of_pay_and_its_terms() -> None:
    fields = {"seed.jackpot": "5000", "pays.three_of_a_kind": "12 for 1"}
    search = goal_seek(FOUR_ACES, fields, "hold=20%", {"straight_flush": "80..140/20"})
    assert sorted(solution.pays["straight_flush"] for solution in search.solutions) == [80, 100, 120, 140]
    for candidate in search.solutions:
        assert candidate.written["straight_flush"] == f"{candidate.pays['straight_flush']} for 1"
        # 2,072 straight flushes and 58,656 three of a kind of 2,598,960; what else comes back does not vary.
        draft = edited(FOUR_ACES, {"straight_flush": "100 for 1", "three_of_a_kind": "12 for 1"})
        at_100 = what_if(question_from(draft, {"seed.jackpot": "5000"})).bet["hold"].value
        assert candidate.figure.value == at_100 - Fraction(
            2_072 * (candidate.pays["straight_flush"] - 100), DEALS
        )


def test_a_bonus_is_sought_by_solving_the_game_around_it() -> None:
    bonus = registry.paytable("crazy_4", "super_bonus", "C4P-09")
    search = goal_seek(bonus, {}, "house_edge=2.5%", {"flush": "1..4"})
    edges = {solution.pays["flush"]: solution.figure.value for solution in search.solutions}
    assert edges[1] > edges[2] > edges[3] > edges[4]
    assert search.solutions[0].distance == min(abs(edge - Fraction(25, 1000)) for edge in edges.values())


@pytest.mark.parametrize(
    ("goal", "vary", "message"),
    [
        ("house_edge=5", {"flush": "3..6"}, "'5' is not a percentage"),
        ("house_edge=", {"flush": "3..6"}, "'' is not a percentage"),
        ("edge=5%", {"flush": "3..6"}, "'edge' is not a figure of crazy_4/queens_up/C4P-09"),
        ("top_odds=5%", {"flush": "3..6"}, "'5%' is not a number"),
        ("house_edge=5%", {}, "no row is varied"),
        ("house_edge=5%", {"flush": "6..3"}, "'6..3' is not a range"),
        ("house_edge=5%", {"flush": "3..6/0"}, "'3..6/0' is not a range"),
        ("house_edge=5%", {"flsh": "3..6"}, "has no such row"),
        (
            "house_edge=5%",
            {"flush": "1..200", "straight": "1..200"},
            "40,000 combinations, and a search tries",
        ),
    ],
)
def test_what_cannot_be_sought_is_refused(goal: str, vary: dict[str, str], message: str) -> None:
    with pytest.raises(ProblemsError) as refused:
        goal_seek(QUEENS_UP, {}, goal, vary)
    (problem,) = refused.value.problems
    assert message in problem.what
    assert problem.remedy


def test_a_row_that_a_meter_pays_is_not_varied() -> None:
    with pytest.raises(ProblemsError, match="pays from a meter"):
        goal_seek(FOUR_ACES, {}, "hold=20%", {"four_aces": "3..6"})


def test_a_solved_game_allows_fewer_combinations() -> None:
    bonus = registry.paytable("crazy_4", "super_bonus", "C4P-09")
    with pytest.raises(ProblemsError, match="at most 50"):
        goal_seek(bonus, {}, "house_edge=5%", {"flush": "1..51"}, most=1_000)
