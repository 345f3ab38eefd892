"""Training records: exercises dealt, answers as graded, and completed courses."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from feltwork.site.books.connection import Connection
from feltwork.site.books.queries import statement


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingExercise:
    """An exercise of a trainee; ``place`` is the open question, counted from 0."""

    number: int
    person: str
    course: str
    seed: int
    questions: int
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingProgress:
    """All answers of a trainee in a course, and the correct ones since the last mistake."""

    person: str
    name: str
    course: str
    exercises: int
    answers: int
    correct: int
    in_a_row: int
    last_answered_at: datetime | None
    completion: int | None
    completed_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingCompletion:
    """A completed course, with the last of the answers that completed it."""

    number: int
    person: str
    name: str
    course: str
    last_answer: int
    answers: int
    correct: int
    rules: str
    completed_at: datetime


def lock_trainee(connection: Connection, person: str) -> None:
    """Serialize the commands of a trainee until the transaction ends."""
    connection.execute(statement("lock_training"), (person,))


def issue(connection: Connection, person: str, course: str, *, seed: int, questions: int) -> int:
    """Record an exercise that was dealt to a trainee."""
    row = connection.execute(statement("issue_exercise"), (person, course, seed, questions)).fetchone()
    assert row is not None
    number: int = row[0]
    return number


def exercise(connection: Connection, number: int) -> TrainingExercise | None:
    """An exercise with its open question."""
    with connection.cursor(row_factory=class_row(TrainingExercise)) as cursor:
        return cursor.execute(statement("training_exercise"), (number,)).fetchone()


def open_exercise(connection: Connection, person: str, course: str) -> TrainingExercise | None:
    """The trainee's unfinished exercise, which must be finished before the next one."""
    row = connection.execute(statement("last_exercise"), (person, course)).fetchone()
    last = exercise(connection, row[0]) if row and row[0] else None
    return last if last and last.place < last.questions else None


def write_answer(
    connection: Connection,
    answered: TrainingExercise,
    answer: Mapping[str, Any],
    *,
    correct: bool,
    settled: bool,
) -> int:
    """Record the graded answer to the open question."""
    values = (answered.number, answered.place, Jsonb(dict(answer)), correct, settled)
    row = connection.execute(statement("answer_exercise"), values).fetchone()
    assert row is not None
    number: int = row[0]
    return number


def newest_answers(connection: Connection, person: str, course: str, *, until: int, limit: int) -> list[bool]:
    """Whether each of the newest answers up to ``until`` was correct, the newest first."""
    about = {"person": person, "course": course, "until": until, "limit": limit}
    return [correct for (correct,) in connection.execute(statement("newest_answers"), about).fetchall()]


def complete(connection: Connection, person: str, course: str, *, last_answer: int, rules: str) -> None:
    """Record that a trainee has completed a course; the first time counts."""
    about = {"person": person, "course": course, "last_answer": last_answer, "rules": rules}
    connection.execute(statement("complete_course"), about)


def completion(connection: Connection, number: int) -> TrainingCompletion | None:
    """A completed course."""
    with connection.cursor(row_factory=class_row(TrainingCompletion)) as cursor:
        return cursor.execute(statement("training_completion"), (number,)).fetchone()


def progress(connection: Connection, person: str = "") -> list[TrainingProgress]:
    """The progress of every trainee, or of one, by course."""
    with connection.cursor(row_factory=class_row(TrainingProgress)) as cursor:
        return cursor.execute(statement("training_progress"), {"person": person}).fetchall()
