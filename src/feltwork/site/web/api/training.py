"""Training over HTTP: exercises that the service deals and grades, and progress."""

from dataclasses import replace
from typing import Annotated

from fastapi import Depends, Path
from pydantic import Field

from feltwork.site.books.context import Operation
from feltwork.site.books.people import training
from feltwork.site.books.people.training import (
    AnswerExercise,
    BeginExercise,
    ExerciseView,
    GradedView,
    TrainingView,
)
from feltwork.site.school.course import TrainingAnswer
from feltwork.site.web.fields import Amount, Body, Name
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


class ChosenCourse(Body):
    """The course to begin or continue."""

    course: Name = Field(examples=["crazy_4"])


class GivenAnswer(Body):
    """The answer to the open question: a bet with the amount returned, or a choice."""

    place: int = Field(ge=0, le=200, description="The question, counted from 0.", examples=[0])
    seat: int = Field(default=0, ge=0, le=9, examples=[3])
    bet: str = Field(default="", pattern="^[a-z0-9_]{0,40}$", examples=["ante"])
    returned: Amount = Field(default=0, description="Stake included.", examples=[20_000_000])
    choice: str = Field(default="", pattern="^[A-Za-z0-9_. ]{0,60}$", examples=[""])


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
def begin(by: Trainee, key: Key, chosen: ChosenCourse) -> ExerciseView:
    """Deal a new exercise, or resume your unfinished one."""
    return key.run(by, training.begin_exercise, BeginExercise(course=chosen.course))


@router.post("/exercises/{number}/answers", summary="Answer a question")
def answer(by: Trainee, key: Key, number: ExerciseNumber, body: GivenAnswer) -> GradedView:
    """Answer the open question of your exercise, once; the explanation of the grade is in your language."""
    answer = TrainingAnswer(seat=body.seat, bet=body.bet, returned=body.returned, choice=body.choice)
    command = AnswerExercise(exercise=number, place=body.place, answer=answer)
    graded = key.run(by, training.answer_exercise, command)
    return replace(graded, why=reason(graded.why))
