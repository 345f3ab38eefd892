"""Training: exercises that the service deals and grades, the progress of trainees, and completed courses."""

import secrets
from dataclasses import asdict, dataclass

from feltwork.problem import Problem, ProblemsError, Sentence
from feltwork.site.books.audit.audit import CitedParagraph
from feltwork.site.books.authorize import authorize
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import Refusal, RefusedError, unknown
from feltwork.site.books.fields import with_example
from feltwork.site.books.floors.site import site_name
from feltwork.site.books.records import training as books
from feltwork.site.books.records.training import TrainingCompletion, TrainingExercise, TrainingProgress
from feltwork.site.compliance.two_person import Command
from feltwork.site.school import course as school
from feltwork.site.school.course import PRACTICE_SEEDS, REQUIRED_IN_A_ROW, Assignment, TrainingAnswer
from feltwork.sources import Paragraph

#: Number of seeds: too many to find that of a recorded exercise by trying them all.
_SEEDS = 2**62


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginExercise:
    """The course to continue."""

    course: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerExercise:
    """The answer to the open question of an exercise."""

    exercise: int
    #: The question that was on the screen, counted from 0.
    place: int
    answer: TrainingAnswer


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseView:
    """An exercise of the signed-in trainee: its open question, counted from 0, out of all."""

    number: int
    course: str
    place: int
    questions: int


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
    return TrainingView(required=REQUIRED_IN_A_ROW, progress=books.progress(op.connection, op.actor.id))


def trainees(op: Operation) -> TrainingView:
    """Show the progress of every trainee."""
    authorize(op, Command(name="review_training", about="trainees"))
    return TrainingView(required=REQUIRED_IN_A_ROW, progress=books.progress(op.connection))


def begin_exercise(op: Operation, command: BeginExercise) -> ExerciseView:
    """Deal a new exercise, or continue the unfinished one."""
    authorize(op, Command(name="train", about=op.actor.id))
    if command.course not in school.courses():
        raise unknown(f"course {command.course}")

    def act() -> ExerciseView:
        books.lock_trainee(op.connection, op.actor.id)
        going_on = books.open_exercise(op.connection, op.actor.id, command.course)
        if going_on is not None:
            return _view(going_on)
        seed = PRACTICE_SEEDS + secrets.randbelow(_SEEDS)
        questions = len(school.deal(command.course, seed).questions)
        number = books.issue(op.connection, op.actor.id, command.course, seed=seed, questions=questions)
        return ExerciseView(number=number, course=command.course, place=0, questions=questions)

    return op.perform(asdict(command), ExerciseView, act)


def own_exercise(op: Operation, number: int) -> tuple[ExerciseView, Assignment]:
    """Show an exercise of the signed-in trainee with its round; its seed stays with the service."""
    authorize(op, Command(name="train", about=op.actor.id))
    exercise = _own(op, number)
    return _view(exercise), school.deal(exercise.course, exercise.seed)


def answer_exercise(op: Operation, command: AnswerExercise) -> GradedView:
    """Grade the answer to the open question and store it; a question is answered once."""
    authorize(op, Command(name="train", about=op.actor.id))

    def act() -> GradedView:
        books.lock_trainee(op.connection, op.actor.id)
        exercise = _own(op, command.exercise)
        if command.place != exercise.place or exercise.place >= exercise.questions:
            what = "this question was already answered, or it is not its turn yet"
            raise ProblemsError([Problem(f"exercise {exercise.number}", what, "reload the page and go on")])
        return _graded(op, exercise, command.answer)

    return op.perform(asdict(command), GradedView, act)


def certificate(op: Operation, number: int) -> CertificateView:
    """Show a completed course for its certificate; the answers on record must have completed it."""
    completion = books.completion(op.connection, number)
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


def _own(op: Operation, number: int) -> TrainingExercise:
    exercise = books.exercise(op.connection, number)
    if exercise is None or exercise.person != op.actor.id:
        raise unknown(f"exercise {number}")
    return exercise


def _view(exercise: TrainingExercise) -> ExerciseView:
    return ExerciseView(
        number=exercise.number, course=exercise.course, place=exercise.place, questions=exercise.questions
    )


def _graded(op: Operation, exercise: TrainingExercise, answer: TrainingAnswer) -> GradedView:
    person, course = op.actor.id, exercise.course
    grade = school.grade(school.deal(course, exercise.seed), exercise.place, answer)
    written = books.write_answer(
        op.connection, exercise, asdict(answer), correct=grade.right, settled=grade.in_order
    )
    newest = _newest(op, person, course, until=written)
    if school.is_complete(newest):
        rules = school.rules_of(course)
        books.complete(op.connection, person, course, last_answer=written, rules=rules)
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
        completed=any(
            course_progress.completion
            for course_progress in books.progress(op.connection, person)
            if course_progress.course == course
        ),
    )


def _newest(op: Operation, person: str, course: str, *, until: int) -> list[bool]:
    return books.newest_answers(op.connection, person, course, until=until, limit=REQUIRED_IN_A_ROW)
