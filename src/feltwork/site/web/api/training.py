"""Training over HTTP: exercises that the service deals and grades, and progress."""

from dataclasses import replace
from typing import Annotated

from fastapi import Depends, Path

from feltwork.site.books.context import Operation
from feltwork.site.books.people import training
from feltwork.site.books.people.training import (
    AnswerExercise,
    BeginExercise,
    ExerciseView,
    GradedView,
    TrainingView,
)
from feltwork.site.web.pages import Paged
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.rendering.bet_reasons import reason
from feltwork.site.web.security.auth import Permitted
from feltwork.site.web.security.idempotency import Key
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/training", tags=["training"], responses={**REFUSALS})
Trainee = Annotated[Operation, Depends(Permitted("train"))]
Reviewer = Annotated[Operation, Depends(Permitted("review_training"))]
ExerciseNumber = Annotated[int, Path(ge=1, le=2**62, description="The exercise.", examples=[7])]


@router.get("", summary="Your training")
def show(by: Trainee) -> TrainingView:
    """Your progress in each course that you have begun."""
    return training.own_training(by)


@router.get("/trainees", summary="Every trainee")
def show_trainees(by: Reviewer, page: Paged) -> TrainingView:
    """The progress of every trainee; see also the `dealer_training` report."""
    view = training.trainees(by)
    return page.of(view, "progress", view.progress, lambda progress: f"{progress.person}/{progress.course}")


@router.post("/exercises", summary="Begin an exercise")
def begin(by: Trainee, key: Key, body: BeginExercise) -> ExerciseView:
    """Deal a new exercise, or resume your unfinished one."""
    return key.run(by, training.begin_exercise, body)


@router.post("/exercises/{number}/answers", summary="Answer a question")
def answer(by: Trainee, key: Key, number: ExerciseNumber, body: AnswerExercise) -> GradedView:
    """Answer the open question of your exercise, once; the explanation of the grade is in your language."""
    graded = key.run(by, training.answer_exercise, number, body)
    return replace(graded, why=reason(graded.why))
