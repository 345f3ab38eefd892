"""Training: exercises that the service deals and grades, the progress of trainees, and completed courses."""

import secrets
from dataclasses import asdict, dataclass
from datetime import datetime

from psycopg.types.json import Jsonb
from pydantic import Field
from pydantic.dataclasses import dataclass as validated

from feltwork.problem import Problem, ProblemsError, Sentence
from feltwork.site.books.audit.audit import CitedParagraph
from feltwork.site.books.authorize import authorize
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import Refusal, RefusedError, unknown
from feltwork.site.books.fields import COMMAND, Amount, Name, with_example
from feltwork.site.books.floors.site import site_name
from feltwork.site.books.queries import rows_of, statement
from feltwork.site.compliance.two_person import Command
from feltwork.site.school import course as school
from feltwork.site.school.course import PRACTICE_SEEDS, REQUIRED_IN_A_ROW, Assignment, TrainingAnswer
from feltwork.sources import Paragraph

#: Number of seeds: too many to find that of a recorded exercise by trying them all.
_SEEDS = 2**62


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


@validated(config=COMMAND, frozen=True, kw_only=True)
class BeginExercise:
    """The course to begin or continue."""

    course: Name = Field(examples=["crazy_4"])


@validated(config=COMMAND, frozen=True, kw_only=True)
class AnswerExercise(TrainingAnswer):
    """The answer to the open question: a bet with the amount returned, or a choice."""

    place: int = Field(ge=0, le=200, description="The question, counted from 0.", examples=[0])
    seat: int = Field(default=0, ge=0, le=9, examples=[3])
    bet: str = Field(default="", pattern="^[a-z0-9_]{0,40}$", examples=["ante"])
    returned: Amount = Field(default=0, description="Stake included.", examples=[20_000_000])
    choice: str = Field(default="", pattern="^[A-Za-z0-9_. ]{0,60}$", examples=[""])


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseView:
    """An exercise of the signed-in trainee: its open question, counted from 0, out of all."""

    number: int
    course: str
    place: int
    questions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DealtExercise(ExerciseView):
    """An exercise with its seed, which stays with the service."""

    seed: int


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class GradedView:
    """A graded answer with the right one, and the trainee's progress."""

    right: bool
    in_order: bool
    subject: str
    seat: int
    #: Amount due to the bet, stake included; the right choice of a drill.
    due: int
    choice: str
    why: str
    paragraphs: list[CitedParagraph]
    #: The next question; the number of questions once the exercise is over.
    place: int
    questions: int
    in_a_row: int
    required: int
    completed: bool


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingView:
    """The progress of trainees by course, and how many correct answers in a row complete a course."""

    required: int
    progress: list[TrainingProgress]


@dataclass(frozen=True, slots=True, kw_only=True)
class CertificateView:
    """The contents of a certificate of completion."""

    site: str
    completion: TrainingCompletion
    required: int


def own_training(op: Operation) -> TrainingView:
    """Show the progress of the signed-in trainee."""
    authorize(op, Command(name="train", about=op.actor.id))
    return TrainingView(required=REQUIRED_IN_A_ROW, progress=_progress(op, op.actor.id))


def trainees(op: Operation) -> TrainingView:
    """Show the progress of every trainee."""
    authorize(op, Command(name="review_training", about="trainees"))
    return TrainingView(required=REQUIRED_IN_A_ROW, progress=_progress(op))


def begin_exercise(op: Operation, command: BeginExercise) -> ExerciseView:
    """Deal a new exercise, or continue the unfinished one."""
    authorize(op, Command(name="train", about=op.actor.id))
    if command.course not in school.courses():
        raise unknown(f"course {command.course}")

    def act() -> ExerciseView:
        op.connection.execute(statement("lock_training"), (op.actor.id,))
        last = _own(op, course=command.course)
        if last and last.place < last.questions:
            return ExerciseView(
                number=last.number, course=last.course, place=last.place, questions=last.questions
            )
        seed = PRACTICE_SEEDS + secrets.randbelow(_SEEDS)
        questions = len(school.deal(command.course, seed).questions)
        row = (op.actor.id, command.course, seed, questions)
        ((number,),) = op.connection.execute(statement("issue_exercise"), row).fetchall()
        return ExerciseView(number=number, course=command.course, place=0, questions=questions)

    return op.perform(asdict(command), ExerciseView, act)


def own_exercise(op: Operation, number: int) -> tuple[ExerciseView, Assignment]:
    """Show an exercise of the signed-in trainee with its round; its seed stays with the service."""
    authorize(op, Command(name="train", about=op.actor.id))
    exercise = _own(op, number)
    if exercise is None:
        raise unknown(f"exercise {number}")
    return exercise, school.deal(exercise.course, exercise.seed)


def answer_exercise(op: Operation, number: int, command: AnswerExercise) -> GradedView:
    """Grade the answer to the open question and store it; a question is answered once."""
    authorize(op, Command(name="train", about=op.actor.id))

    def act() -> GradedView:
        op.connection.execute(statement("lock_training"), (op.actor.id,))
        exercise = _own(op, number)
        if exercise is None:
            raise unknown(f"exercise {number}")
        if command.place != exercise.place or exercise.place >= exercise.questions:
            what = "this question was already answered, or it is not its turn yet"
            raise ProblemsError([Problem(f"exercise {exercise.number}", what, "reload the page and go on")])
        return _graded(op, exercise, command)

    return op.perform({"exercise": number, **asdict(command)}, GradedView, act)


def certificate(op: Operation, number: int) -> CertificateView:
    """Show a completed course for its certificate; the answers on record must have completed it."""
    completion = next(
        iter(rows_of(op.connection, TrainingCompletion, "training_completion", (number,))), None
    )
    own = completion is not None and completion.person == op.actor.id
    authorize(op, Command(name="train" if own else "review_training", about=f"completion {number}"))
    if completion is None:
        raise unknown(f"completion {number}")
    if not school.is_complete(
        _newest(op, completion.person, completion.course, until=completion.last_answer)
    ):
        refusal = Refusal(
            rule="training",
            requirement="",
            what=Sentence(
                "the answers on record are not %(count)s correct ones in a row",
                count=REQUIRED_IN_A_ROW,
            ),
            remedy="go on with the exercises of the course",
            where=f"completion {number}",
        )
        raise RefusedError("not_allowed", refusal)
    return CertificateView(site=site_name(op.connection), completion=completion, required=REQUIRED_IN_A_ROW)


def cited(paragraphs: tuple[Paragraph, ...]) -> list[CitedParagraph]:
    """Return the distinct paragraphs; letters may repeat each other."""
    by_text = {paragraph.says: paragraph for paragraph in reversed(paragraphs)}
    return [
        CitedParagraph(id=paragraph.id, where=str(paragraph), says=paragraph.says)
        for paragraph in paragraphs
        if by_text[paragraph.says] is paragraph
    ]


def _own(op: Operation, number: int = 0, course: str = "") -> DealtExercise | None:
    """The actor's exercise of a number, or the last of a course."""
    about = {"person": op.actor.id, "number": number, "course": course}
    return next(iter(rows_of(op.connection, DealtExercise, "training_exercise", about)), None)


def _graded(op: Operation, exercise: DealtExercise, command: AnswerExercise) -> GradedView:
    person, course = op.actor.id, exercise.course
    grade = school.grade(school.deal(course, exercise.seed), exercise.place, command)
    answer = asdict(command)
    place = answer.pop("place")
    row = (exercise.number, place, Jsonb(answer), grade.right, grade.in_order)
    ((written,),) = op.connection.execute(statement("answer_exercise"), row).fetchall()
    newest = _newest(op, person, course, until=written)
    if school.is_complete(newest):
        about = {"person": person, "course": course, "last_answer": written}
        op.connection.execute(statement("complete_course"), {**about, "rules": school.rules_of(course)})
    return GradedView(
        right=grade.right,
        in_order=grade.in_order,
        subject=grade.subject,
        seat=grade.seat,
        due=grade.due,
        choice=grade.choice,
        why=grade.why,
        paragraphs=cited(grade.paragraphs),
        place=exercise.place + grade.in_order,
        questions=exercise.questions,
        in_a_row=school.in_a_row(newest),
        required=REQUIRED_IN_A_ROW,
        completed=any(one.completion for one in _progress(op, person) if one.course == course),
    )


def _newest(op: Operation, person: str, course: str, *, until: int) -> list[bool]:
    about = {"person": person, "course": course, "until": until, "limit": REQUIRED_IN_A_ROW}
    return [correct for (correct,) in op.connection.execute(statement("newest_answers"), about).fetchall()]


def _progress(op: Operation, person: str = "") -> list[TrainingProgress]:
    """The progress of every trainee, or of one, by course."""
    return rows_of(op.connection, TrainingProgress, "training_progress", {"person": person})
