"""Lessons: each shows a whole round, and its results are those of the rules."""

import pytest

from feltwork.site.school.course import REQUIRED_IN_A_ROW
from feltwork.site.school.drills import DRILLS
from feltwork.site.school.walkthrough import LESSONS, drill_lessons, worked_lessons
from feltwork.titles import registry
from feltwork.titles.settle import settle

GAMES = ("blackjack", "caribbean_stud", "crazy_4", "holdem_bonus", "mini_baccarat", "six_five_four")


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_goes_from_the_wagers_to_the_last_bet(game: str) -> None:
    lessons = worked_lessons(game)
    assert len(lessons) == LESSONS
    for lesson in lessons:
        kinds = [step.kind for step in lesson.steps]
        assert kinds == sorted(kinds, key=("wagers", "deal", "decision", "reveal", "order", "settle").index)
        settled = settle(lesson.exercise.round)
        results = {(step.seat, step.bet): step.result for step in lesson.steps if step.kind == "settle"}
        assert results == {
            (seat.seat, bet): result for seat in settled.seats for bet, result in seat.bets.items()
        }
        assert all(step.paragraphs for step in lesson.steps if step.kind in ("order", "settle"))
        assert all(step.cards for step in lesson.steps if step.kind in ("deal", "decision", "reveal"))


@pytest.mark.parametrize("game", GAMES)
def test_the_lessons_show_every_bet_before_an_exercise_asks_for_it(game: str) -> None:
    outcomes = {what for lesson in worked_lessons(game) for what in lesson.shows}
    declared = registry.game(game)
    placed = {name for names in declared.openings for name in names}
    settled = {name for name, _ in outcomes}
    assert placed | set(declared.riding) <= settled
    base = [outcome for name, outcome in outcomes if name in declared.base]
    assert {"win", "lose"} <= set(base)


def test_house_money_is_taken_and_left() -> None:
    outcomes = {what for lesson in worked_lessons("blackjack") for what in lesson.shows}
    assert {("house_money", "take"), ("house_money", "leave"), ("house_money", "win")} <= outcomes
    for lesson in worked_lessons("blackjack"):
        (wagers,) = (step.wagers for step in lesson.steps if step.kind == "wagers")
        assert any("house_money" in placed for placed in wagers.values())


@pytest.mark.parametrize("course", DRILLS)
def test_a_drill_is_taught_with_its_answers(course: str) -> None:
    lessons = drill_lessons(course)
    assert len(lessons) == LESSONS
    subjects = {question.subject for lesson in lessons for question in lesson.questions}
    assert len(subjects) >= 4
    assert max(len(lesson.questions) for lesson in lessons) < REQUIRED_IN_A_ROW
