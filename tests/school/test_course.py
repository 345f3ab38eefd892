"""Courses: every exercise is graded as the rules settle the same round, read anew from its notation."""

import json
from typing import Any

import pytest

from feltwork.money import DOLLAR, text
from feltwork.problem import ProblemsError
from feltwork.site.compliance.roles import ROLES
from feltwork.site.school import course
from feltwork.site.school.course import REQUIRED_IN_A_ROW, Assignment, TrainingAnswer, courses, deal, grade
from feltwork.site.school.drills import BOTH, DRILLS, MISDEAL, NEITHER, TWO_JACKPOTS, Drill, drill
from feltwork.titles.cards.card import Card
from feltwork.titles.notation import round_from
from feltwork.titles.settle import settle
from feltwork.titles.settlement import Settlement
from feltwork.titles.transcript import transcript

GAMES = ("blackjack", "caribbean_stud", "crazy_4", "holdem_bonus", "mini_baccarat", "six_five_four")


def settled_anew(dealt: Assignment) -> Settlement:
    """Settle the round that a table would have written down."""
    written: dict[str, Any] = json.loads(json.dumps(transcript(dealt.round)))
    return settle(round_from(written))


def never_wrong(name: str, seeds: range) -> None:
    for seed in seeds:
        dealt = deal(name, seed)
        anew = settled_anew(dealt)
        assert dealt.questions, (name, seed)
        for place in range(len(dealt.questions)):
            right = right_answer(dealt, anew, place)
            mark = grade(dealt, place, right)
            assert mark.right, (name, seed, dealt.questions[place], right)
            assert mark.paragraphs, (name, seed, dealt.questions[place])
            assert not grade(dealt, place, wrong_answer(dealt, right, place)).right


def right_answer(dealt: Assignment, anew: Settlement, place: int) -> TrainingAnswer:
    if not isinstance(dealt, Drill):
        question = dealt.questions[place]
        (seat,) = (result for result in anew.seats if result.seat == question.seat)
        return TrainingAnswer(seat=question.seat, bet=question.bet, returned=seat.bets[question.bet].returned)
    return TrainingAnswer(choice=expected_choice(dealt, anew, place))


def wrong_answer(dealt: Assignment, right: TrainingAnswer, place: int) -> TrainingAnswer:
    if not isinstance(dealt, Drill):
        return TrainingAnswer(seat=right.seat, bet=right.bet, returned=right.returned + DOLLAR)
    return TrainingAnswer(
        choice=next(choice for choice in dealt.questions[place].choices if choice != right.choice)
    )


def expected_choice(dealt: Drill, anew: Settlement, place: int) -> str:
    """What a dealer does, read off the cards: not from the results that the drill was made from."""
    question = dealt.questions[place]
    if question.subject in ("start", "end"):
        return "once"
    if question.subject == "badge":
        return "supervisor"
    if question.subject == "meter":
        return "as before START GAME"
    if question.subject == "called":
        return "it is a misdeal" if miscounted(dealt) else "the deal is right"
    if question.subject == "returned":
        (seat,) = (seat for seat in dealt.round.seats if seat.number == question.seat)
        (jackpot,) = dealt.round.jackpots
        return text(sum(seat.wagers.values()) + jackpot.wager)
    if question.subject == "end_waits":
        claimed = any(claims(dealt, seat.number) for seat in dealt.round.seats)
        return "for the badges of every claim" if claimed else "for no badge"
    (settled,) = (result for result in anew.seats if result.seat == question.seat)
    won = [name for name, result in settled.jackpots.items() if result.hand]
    names = won if question.subject == "pressed" else claims(dealt, question.seat)
    return BOTH if len(names) == 2 else names[0] if names else NEITHER


def miscounted(dealt: Drill) -> bool:
    round_ = dealt.round
    places = [(len(seat.cards), round_.game.seat_cards) for seat in round_.seats]
    folded = all(round_.game.folded(round_, seat) for seat in round_.seats)
    for place, due in round_.game.table_cards.items():
        held = len(round_.cards(place))
        if held or not (folded and place in round_.game.empty_when_all_fold):
            places.append((held, due))
    return any(held != due for held, due in places)


def claims(dealt: Drill, number: int) -> list[str]:
    """The jackpots whose meter pays a seat: three sevens of one color, and three aces of one suit."""
    (seat,) = (seat for seat in dealt.round.seats if seat.number == number)
    cards: list[Card] = [*seat.cards[:2], dealt.round.cards("dealer")[0]]
    ranks = {card.rank for card in cards}
    sevens = ranks == {7} and len({card.suit.is_red for card in cards}) == 1
    aces = ranks == {14} and len({card.suit for card in cards}) == 1
    names = [name for name, won in (("blazing_7s", sevens), ("trilux", aces)) if won]
    return [name for name in names if name in seat.jackpots]


@pytest.mark.parametrize("name", [*GAMES, *DRILLS])
def test_no_exercise_is_graded_wrong(name: str) -> None:
    never_wrong(name, range(40))


@pytest.mark.whole
@pytest.mark.parametrize("name", [*GAMES, *DRILLS])
def test_three_hundred_exercises_in_a_row_are_never_graded_wrong(name: str) -> None:
    never_wrong(name, range(1_000, 1_300))


def test_the_courses_are_the_games_and_the_drills() -> None:
    assert sorted(courses()) == sorted((*GAMES, *DRILLS))
    with pytest.raises(ProblemsError, match="there is no such course"):
        deal("poker_face", 1)


def test_a_drill_has_every_answer_sometimes() -> None:
    answers = {what for seed in range(60) for what in drill(TWO_JACKPOTS, seed).shows}
    for right in ("blazing_7s", "trilux", BOTH, NEITHER):
        assert ("pressed", right) in answers
    assert {("claimed", "blazing_7s"), ("claimed", "trilux"), ("claimed", NEITHER)} <= answers
    assert {("end_waits", "for no badge"), ("end_waits", "for the badges of every claim")} <= answers


def test_who_calls_a_misdeal_is_who_the_roles_name() -> None:
    may = {name for name, role in ROLES.items() if MISDEAL in role.may}
    questions = [
        question
        for seed in range(30)
        for question in drill(MISDEAL, seed).questions
        if question.subject == "badge"
    ]
    assert questions
    assert all({question.right} == may & set(question.choices) for question in questions)


def test_a_course_is_complete_after_so_many_right_answers_in_a_row() -> None:
    assert course.in_a_row([True, True, False, True]) == 2
    assert course.in_a_row([]) == 0
    assert not course.is_complete([True] * (REQUIRED_IN_A_ROW - 1) + [False] + [True] * 50)
    assert course.is_complete([True] * REQUIRED_IN_A_ROW + [False])


def test_the_rules_of_a_course_name_its_paytables() -> None:
    assert "crazy_4/queens_up/C4P-09 (" in course.rules_of("crazy_4")
    assert "trilux/jackpot/6 (" in course.rules_of(TWO_JACKPOTS)
