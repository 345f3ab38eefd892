"""The school: settle dealt rounds or play hands; every mistake comes with its rule."""

import secrets
from fractions import Fraction
from typing import Annotated

from fastapi import Path, Query, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, Field

from feltwork.money import Micros
from feltwork.odds import strategy
from feltwork.problem import ProblemsError
from feltwork.site.books.people.training import cited
from feltwork.site.school.course import (
    PRACTICE_SEEDS,
    REQUIRED_IN_A_ROW,
    TrainingAnswer,
    deal,
    grade,
    verify_course,
)
from feltwork.site.school.score import Attempt, score
from feltwork.site.school.trainer import TakenDecision, Training, train
from feltwork.site.web.rendering.bet_reasons import reason
from feltwork.site.web.rendering.templating import Model, fields_of, page
from feltwork.site.web.screens.school import courses
from feltwork.site.web.screens.school.exercise_model import model_of, template_of
from feltwork.site.web.security.auth import Visitor
from feltwork.site.web.subject_router import SubjectRouter
from feltwork.titles import registry

router = SubjectRouter(prefix="/school")
router.include_router(courses.router)
#: The precision of a stored cost.
_DIGITS = 10**12
Game = Annotated[str, Path(pattern="^[a-z0-9_]{1,40}$")]
Seed = Annotated[int, Query(ge=0, lt=PRACTICE_SEEDS)]


class PracticeAnswer(BaseModel):
    """A practice answer: a bet with the amount returned, stake included, or a choice."""

    seed: int = Field(ge=0, lt=PRACTICE_SEEDS)
    place: int = Field(ge=0, le=200)
    seat: int = Field(default=0, ge=0, le=9)
    bet: str = Field(default="", max_length=40)
    returned: Micros = Field(default=0, ge=0, le=10**15)
    choice: str = Field(default="", max_length=60)


class TraineeAnswer(BaseModel):
    """An answer stored in the browser."""

    game: str = Field(max_length=40)
    subject: str = Field(max_length=40)
    right: bool
    #: A fraction such as ``3/40``, in units of the first wager.
    cost: str = Field(default="0", pattern=r"^[0-9]{1,40}(/[1-9][0-9]{0,39})?$")


class Attempts(BaseModel):
    """All answers stored in the browser."""

    attempts: list[TraineeAnswer] = Field(max_length=5_000)


@router.get("")
def school(request: Request, visitor: Visitor) -> Response:
    """The list of games to deal or play; the score is stored in the browser."""
    model = {
        "courses": courses.course_list(visitor),
        "reviews": visitor.actor.may("review_training"),
        "required": REQUIRED_IN_A_ROW,
        "player": [_game(name) for name in strategy.solved()],
    }
    return page(request, "school.html", model, by=visitor)


@router.get("/dealer/{game}")
def dealer(request: Request, visitor: Visitor, game: Game, seed: Seed | None = None) -> Response:
    """A practice exercise of a course; nothing is recorded."""
    verify_course(game)
    if seed is None:
        return RedirectResponse(f"/school/dealer/{game}?seed={secrets.randbelow(PRACTICE_SEEDS)}", 303)
    dealt = deal(game, seed)
    return page(request, template_of(dealt), model_of(game, dealt, seed=seed), by=visitor)


@router.post("/dealer/{game}/check")
def check(game: Game, body: PracticeAnswer) -> Model:
    """Check a practice answer; return the right answer and the deciding paragraphs."""
    dealt = deal(game, body.seed)
    if body.place >= len(dealt.questions):
        return {"over": True}
    answer = TrainingAnswer(seat=body.seat, bet=body.bet, returned=body.returned, choice=body.choice)
    result = grade(dealt, body.place, answer)
    model = {**fields_of(result), "why": reason(result.why), "paragraphs": cited(result.paragraphs)}
    return {**model, "place": body.place + result.in_order}


@router.get("/player/{game}")
def player(
    request: Request,
    visitor: Visitor,
    game: Game,
    seed: Seed | None = None,
    choices: Annotated[str, Query(max_length=300, pattern="^[a-z0-9_,]*$")] = "",
) -> Response:
    """A round to play: the open decision, and the value of every choice so far."""
    if seed is None:
        return RedirectResponse(f"/school/player/{game}?seed={_seed_with_question(game)}", 303)
    picks = [choice for choice in choices.split(",") if choice]
    training = train(game, seed, picks)
    model = {
        "game": _game(game),
        "seed": seed,
        "choices": picks,
        "question": training.question,
        "decided": [_decided(move) for move in training.decided],
        "cost": _worth(training.cost),
        "finished": _finished(training),
    }
    return page(request, "school_player.html", model, by=visitor)


@router.post("/score")
def count(tried: Attempts) -> Model:
    """The score of the stored answers, weak spots first."""
    total = score(
        Attempt(attempt.game, attempt.subject, attempt.right, Fraction(attempt.cost))
        for attempt in tried.attempts
    )
    spots = [{**fields_of(spot), "cost": _worth(spot.cost)} for spot in total.weak_spots]
    return {**fields_of(total), "cost": _worth(total.cost), "weak_spots": spots}


def _seed_with_question(game: str) -> int:
    """A seed whose round has a decision: a dealt blackjack has none."""
    while True:
        seed = secrets.randbelow(PRACTICE_SEEDS)
        try:
            if train(game, seed).question is not None:
                return seed
        except ProblemsError:
            return seed


def _game(name: str) -> dict[str, str]:
    return {"name": name, "title": registry.game(name).title}


def _decided(move: TakenDecision) -> Model:
    return {
        "name": move.decision.name,
        "choice": move.choice,
        "best": move.advice.best,
        "right": move.cost == 0,
        "cost": _worth(move.cost),
        "kept": f"{round(move.cost * _DIGITS)}/{_DIGITS}",
        "worth": {choice: _worth(worth) for choice, worth in move.advice.worth.items()},
        "exact": move.advice.exact,
    }


def _worth(worth: Fraction) -> str:
    """A value in units of the first wager, to four decimals."""
    rounded = round(worth * 10_000)
    sign = "-" if rounded < 0 else ""
    units, rest = divmod(abs(rounded), 10_000)
    return f"{sign}{units}.{rest:04d}"


def _finished(training: Training) -> Model | None:
    if training.finished is None:
        return None
    (seat,) = training.finished.seats
    return {
        "table": training.finished.table_cards,
        "cards": seat.cards,
        "net": training.net,
    }
