"""Courses: a game or a drill with its exercises, grading and completion."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import TypeAlias

from feltwork import __version__
from feltwork.money import Micros
from feltwork.problem import Problem, ProblemsError, Sentence
from feltwork.site.school import exercise
from feltwork.site.school.drills import DRILLS, MISDEAL, Drill, drill
from feltwork.site.school.exercise import Correction, Exercise, SettledBet
from feltwork.site.school.lessons import taught
from feltwork.sources import Paragraph

#: A course is complete after this many correct answers in a row, in exercises that the service has dealt.
REQUIRED_IN_A_ROW = 20
#: Seeds below this are for unrecorded practice; seeds of recorded exercises are above it and secret.
PRACTICE_SEEDS = 10**9
Assignment: TypeAlias = Exercise | Drill


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingAnswer:
    """A trainee's answer: a bet with the amount returned, or one of the choices of a drill."""

    seat: int = 0
    bet: str = ""
    returned: Micros = 0
    choice: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """Whether an answer was right, the right answer, and the paragraphs that decide it."""

    subject: str
    seat: int
    right: bool
    #: Whether it was in order; a bet answered too early stays open, any other answer closes its question.
    in_order: bool
    due: Micros = 0
    choice: str = ""
    why: str = ""
    paragraphs: tuple[Paragraph, ...] = ()


def courses() -> tuple[str, ...]:
    """Return every course: the games with lessons, then the drills."""
    return (*taught(), *DRILLS)


def verify_course(course: str) -> None:
    """Raise if there is no such course."""
    if course not in courses():
        known = ", ".join(courses())
        raise ProblemsError(
            [Problem(course, "there is no such course", Sentence("choose from: %(choices)s", choices=known))]
        )


@lru_cache(maxsize=128)
def deal(course: str, seed: int) -> Assignment:
    """Deal the exercise of a course with a seed."""
    verify_course(course)
    return drill(course, seed) if course in DRILLS else exercise.deal(course, seed)


def grade(dealt: Assignment, place: int, answer: TrainingAnswer) -> Grade:
    """Grade the answer to the question at a place, counted from 0."""
    if isinstance(dealt, Drill):
        question = dealt.questions[place]
        return Grade(
            subject=question.subject,
            seat=question.seat,
            right=answer.choice == question.right,
            in_order=True,
            choice=question.right,
            paragraphs=question.paragraphs,
        )
    settled = SettledBet(answer.seat, answer.bet, answer.returned)
    return _of_bet(exercise.check(dealt, place, settled))


def _of_bet(correction: Correction) -> Grade:
    return Grade(
        subject=correction.question.bet,
        seat=correction.question.seat,
        right=correction.right,
        in_order=correction.in_order,
        due=correction.due,
        why=correction.why,
        paragraphs=correction.paragraphs,
    )


def in_a_row(answers: Iterable[bool]) -> int:
    """Count the correct answers since the last mistake; the newest answer comes first."""
    return sum(1 for _ in takewhile(bool, answers))


def is_complete(answers: Iterable[bool]) -> bool:
    """Whether the answers complete a course; the newest answer comes first."""
    return in_a_row(answers) >= REQUIRED_IN_A_ROW


def rules_of(course: str) -> str:
    """Return the version of the rules that grade a course: the release, and its paytables if any."""
    if course == MISDEAL:
        return f"Feltwork {__version__}"
    round_ = deal(course, 0).round
    tables = (*round_.paytables.values(), *(table.paytable for table in round_.jackpots))
    paytable_names = sorted({f"{table.name} ({table.fingerprint[:12]})" for table in tables})
    return "; ".join((f"Feltwork {__version__}", *paytable_names))
