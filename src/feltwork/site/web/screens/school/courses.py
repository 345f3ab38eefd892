"""Courses of the school: lessons, recorded exercises, and the progress of trainees."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import Response

from feltwork.site.books.context import Operation
from feltwork.site.books.people import training
from feltwork.site.books.people.training import cited
from feltwork.site.school.course import REQUIRED_IN_A_ROW, courses, verify_course
from feltwork.site.school.drills import DRILLS, Drill
from feltwork.site.school.walkthrough import LESSONS, WorkedLesson, drill_lessons, worked_lessons
from feltwork.site.web.rendering.bet_reasons import reason
from feltwork.site.web.rendering.templating import Model, page
from feltwork.site.web.screens.school.exercise_model import (
    asked_question,
    choice_text,
    course_of,
    course_title,
    deals_of,
    drill_seats,
    jackpot_paytables,
    model_of,
    template_of,
)
from feltwork.site.web.security.auth import Permitted, Visitor
from feltwork.site.web.subject_router import DeferredRoute

router = APIRouter(route_class=DeferredRoute)
Trainee = Annotated[Operation, Depends(Permitted("train"))]
Reviewer = Annotated[Operation, Depends(Permitted("review_training"))]
Course = Annotated[str, Path(pattern="^[a-z0-9_]{1,40}$")]
Number = Annotated[int, Path(ge=1, le=2**62)]


def course_list(by: Operation) -> list[Model]:
    """Every course, with the progress of a signed-in trainee."""
    known = (
        {progress.course: progress for progress in training.own_training(by).progress}
        if by.actor.may("train")
        else {}
    )
    return [{**course_of(name), "progress": known.get(name)} for name in courses()]


@router.get("/courses/{course}")
def course(
    request: Request, visitor: Visitor, course: Course, lesson: Annotated[int, Query(ge=1, le=LESSONS)] = 1
) -> Response:
    """A lesson of a course: a round step by step; the exercises follow the last lesson."""
    verify_course(course)
    lessons: Sequence[WorkedLesson | Drill] = (
        drill_lessons(course) if course in DRILLS else worked_lessons(course)
    )
    (entry,) = (entry for entry in course_list(visitor) if entry["name"] == course)
    model = {
        "course": entry,
        "lesson": lesson,
        "lessons": LESSONS,
        "required": REQUIRED_IN_A_ROW,
        "trains": visitor.actor.may("train"),
        **_lesson(lessons[lesson - 1]),
    }
    return page(request, "school_course.html", model, by=visitor)


@router.get("/exercises/{number}")
def recorded(request: Request, by: Trainee, number: Number) -> Response:
    """An exercise on record: the open question of a round that the service has dealt."""
    view, dealt = training.own_exercise(by, number)
    model = model_of(view.course, dealt, number=view.number, place=view.place)
    return page(request, template_of(dealt), model, by=by)


@router.get("/trainees")
def trainees(request: Request, by: Reviewer) -> Response:
    """The progress of every trainee in every course."""
    view = training.trainees(by)
    rows = [{"title": course_title(progress.course), "of": progress} for progress in view.progress]
    return page(request, "school_trainees.html", {"required": view.required, "trainees": rows}, by=by)


def _lesson(lesson: WorkedLesson | Drill) -> Model:
    """The steps of a lesson, or the questions of a drill with their answers."""
    if isinstance(lesson, WorkedLesson):
        steps = [
            {
                "of": step,
                "why": reason(step.result.why) if step.result else "",
                "paragraphs": cited(step.paragraphs),
            }
            for step in lesson.steps
        ]
        return {
            "steps": steps,
            "answers": [],
            "table": {},
            "seats": [],
            "deals": "",
            "paytables": [],
        }
    titles = {table.jackpot.name: table.jackpot.title for table in lesson.round.jackpots}
    answers = [
        {
            **asked_question(lesson, question),
            "right": choice_text(question.right, titles),
            "paragraphs": cited(question.paragraphs),
        }
        for question in lesson.questions
    ]
    return {
        "steps": [],
        "answers": answers,
        "table": lesson.round.table_cards,
        "seats": drill_seats(lesson),
        "deals": deals_of(lesson),
        "paytables": jackpot_paytables(lesson),
    }
