"""Dealer school: one right answer a bet, in the procedure's order; a mistake gets its paragraph."""

import pytest

from feltwork.money import DOLLAR
from feltwork.site.school.exercise import Exercise, SettledBet, check, deal
from feltwork.site.school.lessons import deciding, procedure, taught
from feltwork.titles import registry
from feltwork.titles.notation import round_from
from feltwork.titles.settle import settle
from feltwork.titles.worked_rounds import worked_rounds

GAMES = ("blackjack", "caribbean_stud", "crazy_4", "holdem_bonus", "mini_baccarat", "six_five_four")


def test_all_six_games_are_taught() -> None:
    assert sorted(taught()) == sorted(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_who_answers_by_the_rules_is_always_right(game: str) -> None:
    for seed in range(25):
        exercise = deal(game, seed)
        assert exercise.questions
        for place, question in enumerate(exercise.questions):
            right = exercise.result(question).returned
            correction = check(exercise, place, SettledBet(question.seat, question.bet, right))
            assert correction.right


@pytest.mark.parametrize("game", GAMES)
def test_every_wrong_amount_is_corrected_with_a_paragraph(game: str) -> None:
    for seed in range(25):
        exercise = deal(game, seed)
        for place, question in enumerate(exercise.questions):
            due = exercise.result(question).returned
            correction = check(exercise, place, SettledBet(question.seat, question.bet, due + DOLLAR))
            assert not correction.right
            assert correction.due == due
            assert correction.paragraphs, (question, correction.why)


@pytest.mark.parametrize("game", GAMES)
def test_every_bet_comes_once_and_another_order_is_refused(game: str) -> None:
    exercise = deal(game, 3, seats=4)
    bets = [(question.seat, question.bet) for question in exercise.questions]
    due = [(seat.seat, bet) for seat in exercise.settlement.seats for bet in seat.bets]
    assert sorted(bets) == sorted(due)
    seat, bet = bets[-1]
    correction = check(exercise, 0, SettledBet(seat, bet, 0))
    assert not correction.in_order
    assert correction.paragraphs


@pytest.mark.parametrize("game", GAMES)
def test_every_result_of_the_worked_rounds_has_a_deciding_paragraph(game: str) -> None:
    for worked in worked_rounds(game):
        settlement = settle(round_from(worked.data))
        if settlement.void:
            continue
        for seat in settlement.seats:
            for bet, result in seat.bets.items():
                assert deciding(game, bet, result), (worked.file, bet, result)


def test_folded_hands_are_collected_before_the_others_are_settled_from_the_right() -> None:
    example = next(exercise for exercise in map(_crazy_4, range(200)) if _has_both(exercise))
    seats = list(dict.fromkeys(question.seat for question in example.questions))
    folded = [seat for seat in seats if _folded(example, seat)]
    assert seats == folded + [seat for seat in seats if seat not in folded]
    remaining = [seat for seat in seats if seat not in folded]
    assert remaining == sorted(remaining, reverse=True)


@pytest.mark.letter(
    "site.school.exercise._questions",
    "C4.deal.{4,6,6.a.i,6.b.i}",
    "SF.deal.7",
    "TH.deal.{4.a,12}",
    "DB.dragon.3",
    "DB.{aquarius,nexus}.4",
    "HM.house_money.4.b",
)
@pytest.mark.parametrize("game", GAMES)
def test_seats_are_settled_in_the_order_of_the_letter(game: str) -> None:
    """House Money is paid clockwise from the dealer's left; the other letters begin at the dealer's right."""
    from_the_right = game != "blackjack"
    for seed in range(25):
        exercise = deal(game, seed, seats=5)
        seats = list(dict.fromkeys(question.seat for question in exercise.questions))
        assert len(seats) == 5
        # A letter that says what to do with folded hands has them collected at once.
        collected = [seat for seat in seats if procedure(game).folded_first and _folded(exercise, seat)]
        remaining = [seat for seat in seats if seat not in collected]
        assert seats == collected + remaining
        assert remaining == sorted(remaining, reverse=from_the_right)
        if game == "mini_baccarat":
            for seat in seats:
                bets = [question.bet for question in exercise.questions if question.seat == seat]
                assert bets == sorted(bets, key=lambda bet: bet.startswith("dragon_bonus"))


@pytest.mark.letter("site.school.exercise._questions", "C4.cover_all.{7,9}")
def test_cover_all_is_settled_after_everything_else() -> None:
    bets = [question.bet for question in deal("caribbean_stud", 1, seats=5).questions]
    first = bets.index("cover_all")
    assert set(bets[first:]) == {"cover_all"}
    assert bets.count("cover_all") == 5


def test_the_same_seed_deals_the_same_exercise() -> None:
    assert deal("crazy_4", 7) == deal("crazy_4", 7)
    assert deal("crazy_4", 7).round != deal("crazy_4", 8).round


@pytest.mark.parametrize("game", GAMES)
def test_every_lesson_is_about_a_bet_of_its_game(game: str) -> None:
    declared = registry.game(game)
    known = {wager.name for wager in declared.wagers} | set(declared.riding)
    for lesson in procedure(game).lessons:
        assert set(lesson.bets) <= known


def _crazy_4(seed: int) -> Exercise:
    return deal("crazy_4", seed, seats=4)


def _folded(exercise: Exercise, number: int) -> bool:
    seat = next(seat for seat in exercise.round.seats if seat.number == number)
    return exercise.round.game.folded(exercise.round, seat)


def _has_both(exercise: Exercise) -> bool:
    folds = [_folded(exercise, seat.number) for seat in exercise.round.seats]
    return 0 < sum(folds) < len(folds) - 1
