"""The school over HTTP: the service deals and grades, a question is answered once, and nothing is claimed."""

import io
from typing import Any

import pytest
from pypdf import PdfReader

from feltwork.site.books.connection import connect
from feltwork.site.school.course import PRACTICE_SEEDS, REQUIRED_IN_A_ROW, Assignment, courses, deal, rules_of
from feltwork.site.school.drills import Drill
from feltwork.site.web.screens.school.exercise_model import course_title
from tests.web.house import House


def dealt(house: House, number: int) -> Assignment:
    """The round of an exercise, which only the books can tell."""
    with connect(house.dsn) as connection:
        rows = connection.execute(
            "SELECT course, seed FROM books.training_exercise WHERE number = %s", (number,)
        )
        ((course, seed),) = rows.fetchall()
    assert seed >= PRACTICE_SEEDS
    return deal(course, seed)


def right(exercise: Assignment, place: int) -> dict[str, Any]:
    if isinstance(exercise, Drill):
        return {"place": place, "choice": exercise.questions[place].right}
    question = exercise.questions[place]
    returned = exercise.result(question).returned
    return {"place": place, "seat": question.seat, "bet": question.bet, "returned": returned}


def begin(house: House, person: str, course: str) -> int:
    exercise = house.done(person, "/api/v1/training/exercises", {"course": course})
    assert exercise["place"] == 0, "a new exercise begins with its first question"
    return int(exercise["number"])


def answer(house: House, person: str, number: int, body: dict[str, Any]) -> dict[str, Any]:
    return house.done(person, f"/api/v1/training/exercises/{number}/answers", body)


def complete(house: House, person: str, course: str) -> int:
    """Answer until the course is complete, and return the number of the completion."""
    grade: dict[str, Any] = {"completed": False}
    while not grade["completed"]:
        number = begin(house, person, course)
        exercise = dealt(house, number)
        for place in range(len(exercise.questions)):
            grade = answer(house, person, number, right(exercise, place))
            assert grade["right"], grade
    (row,) = (row for row in house.get(person, "/api/v1/training")["progress"] if row["course"] == course)
    assert row["in_a_row"] >= REQUIRED_IN_A_ROW
    return int(row["completion"])


def progress(house: House, person: str, course: str) -> dict[str, Any]:
    rows: list[dict[str, Any]] = house.get(person, "/api/v1/training")["progress"]
    return next(row for row in rows if row["course"] == course)


def test_the_service_grades_and_a_question_is_answered_once(house: House) -> None:
    number = begin(house, "dana", "crazy_4")
    exercise = dealt(house, number)
    assert begin(house, "dana", "crazy_4") == number, "nobody gets another one by leaving it"
    first = right(exercise, 0)
    wrong = {**first, "returned": first["returned"] + 1_000_000}
    grade = answer(house, "dana", number, wrong)
    assert (grade["right"], grade["due"], grade["place"]) == (False, first["returned"], 1)
    assert grade["paragraphs"]
    again = house.post("dana", f"/api/v1/training/exercises/{number}/answers", first)
    assert again.status_code == 409
    assert "already answered" in again.json()["detail"]
    ahead = house.post("dana", f"/api/v1/training/exercises/{number}/answers", right(exercise, 2))
    assert ahead.status_code == 409
    row = progress(house, "dana", "crazy_4")
    assert (row["answers"], row["correct"], row["in_a_row"]) == (1, 0, 0)


def test_a_bet_out_of_order_is_a_mistake_and_stays_open(house: House) -> None:
    number = begin(house, "sam", "holdem_bonus")
    exercise = dealt(house, number)
    last = {**right(exercise, len(exercise.questions) - 1), "place": 0}
    grade = answer(house, "sam", number, last)
    assert (grade["right"], grade["in_order"], grade["place"]) == (False, False, 0)
    grade = answer(house, "sam", number, right(exercise, 0))
    assert (grade["right"], grade["place"], grade["in_a_row"]) == (True, 1, 1)


def test_a_retry_with_the_same_key_is_the_same_answer(house: House) -> None:
    number = begin(house, "sam", "six_five_four")
    body = right(dealt(house, number), 0)
    key = house.key()
    path = f"/api/v1/training/exercises/{number}/answers"
    first, again = (house.post("sam", path, body, key=key) for _ in range(2))
    assert first.json() == again.json()
    assert progress(house, "sam", "six_five_four")["answers"] == 1


def test_an_exercise_is_its_trainee_s_own_and_its_seed_is_shown_to_nobody(house: House) -> None:
    number = begin(house, "dana", "mini_baccarat")
    for path in (f"/school/exercises/{number}", f"/api/v1/training/exercises/{number}/answers"):
        call = house.of("sam").get(path) if "school" in path else house.post("sam", path, {"place": 0})
        assert call.status_code == 404
    with connect(house.dsn) as connection:
        rows = connection.execute("SELECT seed FROM books.training_exercise WHERE number = %s", (number,))
        ((seed,),) = rows.fetchall()
    page = house.of("dana").get(f"/school/exercises/{number}").text
    assert str(seed) not in page
    assert '"returned"' not in page
    check = house.nobody.post(
        "/school/dealer/mini_baccarat/check",
        json={"seed": seed, "place": 0, "seat": 1, "bet": "player", "returned": 0},
    )
    assert check.status_code == 422, "practice cannot deal it"


@pytest.mark.parametrize("course", courses())
def test_every_course_can_be_completed(house: House, course: str) -> None:
    number = complete(house, "sue", course)
    answered = house.of("sue").get(f"/school/completions/{number}/certificate.pdf")
    assert answered.status_code == 200, answered.text
    text = " ".join(PdfReader(io.BytesIO(answered.content)).pages[0].extract_text().split())
    assert "Sue (sue)" in text
    assert course_title(course) in text
    assert f"{REQUIRED_IN_A_ROW}, of these {REQUIRED_IN_A_ROW} correct" in text
    assert rules_of(course).partition("; ")[0] in text
    assert f"{REQUIRED_IN_A_ROW} correct answers in a row" in text


def test_a_mistake_begins_the_row_again(house: House) -> None:
    while progress_or_zero(house, "emil", "two_jackpots") < REQUIRED_IN_A_ROW - 8:
        number = begin(house, "emil", "two_jackpots")
        exercise = dealt(house, number)
        for place in range(len(exercise.questions)):
            answer(house, "emil", number, right(exercise, place))
    number = begin(house, "emil", "two_jackpots")
    grade = answer(house, "emil", number, {"place": 0, "choice": "once for each seat"})
    assert (grade["right"], grade["in_a_row"], grade["completed"]) == (False, 0, False)
    assert progress(house, "emil", "two_jackpots")["completion"] is None


def progress_or_zero(house: House, person: str, course: str) -> int:
    rows = house.get(person, "/api/v1/training")["progress"]
    return next((int(row["in_a_row"]) for row in rows if row["course"] == course), 0)


def test_there_is_no_certificate_without_the_answers(house: House) -> None:
    number = begin(house, "eve", "misdeal")
    answer(house, "eve", number, right(dealt(house, number), 0))
    assert house.of("eve").get("/school/completions/99999/certificate.pdf").status_code == 404
    with connect(house.dsn) as connection:
        connection.execute(
            "INSERT INTO books.training_completion (person, course, last_answer, answers, correct, rules)"
            " SELECT 'eve', 'misdeal', max(answer.number), 20, 20, 'made up'"
            " FROM books.training_answer AS answer"
            " JOIN books.training_exercise AS exercise ON exercise.number = answer.exercise"
            " WHERE exercise.person = 'eve'"
        )
    claimed = progress(house, "eve", "misdeal")["completion"]
    refused = house.of("eve").get(f"/school/completions/{claimed}/certificate.pdf")
    assert (refused.status_code, refused.json()["rule"]) == (403, "training")


def test_trainees_are_for_those_who_review_them(house: House) -> None:
    number = complete(house, "dana", "blackjack")
    assert house.of("dana").get(f"/school/completions/{number}/certificate.pdf").status_code == 200
    assert house.of("sam").get(f"/school/completions/{number}/certificate.pdf").status_code == 200
    assert house.of("cara").get(f"/school/completions/{number}/certificate.pdf").status_code == 403
    for person, status in (("sam", 200), ("eve", 200), ("dana", 403), ("cara", 403), ("otto", 403)):
        assert house.of(person).get("/school/trainees").status_code == status, person
        assert house.of(person).get("/api/v1/training/trainees").status_code == status, person
    read = house.of("sam").get("/school/trainees", headers={"Accept": "text/html"}).text
    assert "Dana" in read
    assert "Blackjack with House Money" in read
    assert house.nobody.post("/api/v1/training/exercises", json={"course": "crazy_4"}).status_code == 401
    assert house.post("cara", "/api/v1/training/exercises", {"course": "crazy_4"}).status_code == 403
    assert house.post("dana", "/api/v1/training/exercises", {"course": "poker_face"}).status_code == 404


def test_the_report_says_what_the_books_hold(house: House) -> None:
    complete(house, "dana", "blackjack")
    rows = house.get("ann", "/api/v1/reports/dealer_training")["rows"]
    (row,) = (row for row in rows if row["person"] == "dana" and row["course"] == "blackjack")
    assert (row["trainee"], row["answers"], row["correct"]) == ("Dana", row["in_a_row"], row["in_a_row"])
    assert row["completed_at"]
