"""The school: settle dealt rounds or play hands; every mistake comes with its rule."""

import secrets
from fractions import Fraction
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, Field

from feltwork.money import Micros
from feltwork.odds import strategy
from feltwork.paytables.paytable import Paytable
from feltwork.problem import ProblemsError
from feltwork.school import exercise
from feltwork.school.exercise import Correction, Exercise, SettledBet
from feltwork.school.lessons import cited_paragraphs, procedure, taught
from feltwork.school.score import Attempt, score
from feltwork.school.trainer import TakenDecision, Training, train
from feltwork.sources import Paragraph
from feltwork.titles import registry
from feltwork.titles.round import Round
from feltwork.web.rendering.templating import Model, fields_of, page
from feltwork.web.security.auth import Visitor

router = APIRouter(prefix="/school")

_SEEDS = 10**9
#: The precision of a stored cost.
_DIGITS = 10**12
Game = Annotated[str, Path(pattern="^[a-z0-9_]{1,40}$")]
Seed = Annotated[int, Query(ge=0, lt=_SEEDS)]


class TraineeSettlement(BaseModel):
    """A trainee's settlement of a bet: the amount returned, including the stake."""

    seed: int = Field(ge=0, lt=_SEEDS)
    place: int = Field(ge=0, le=200)
    seat: int = Field(ge=1, le=9)
    bet: str = Field(max_length=40)
    returned: Micros = Field(ge=0, le=10**15)


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
    shown = {
        "dealer": [_game(name) for name in taught()],
        "player": [_game(name) for name in strategy.solved()],
    }
    return page(request, "school.html", shown, by=visitor)


@router.get("/dealer/{game}")
def dealer(request: Request, visitor: Visitor, game: Game, seed: Seed | None = None) -> Response:
    """A dealt round to settle bet by bet, in the approved order."""
    procedure(game)
    if seed is None:
        return RedirectResponse(f"/school/dealer/{game}?seed={secrets.randbelow(_SEEDS)}", 303)
    dealt = exercise.deal(game, seed)
    shown = {
        "game": _game(game),
        "seed": seed,
        "questions": len(dealt.questions),
        "table": dealt.round.table_cards,
        "paytables": _paytables(dealt.round),
        "seats": _seats(dealt),
        "order": _paragraphs(cited_paragraphs(procedure(game).order)),
    }
    return page(request, "school_dealer.html", shown, by=visitor)


@router.post("/dealer/{game}/check")
def check(game: Game, settled: TraineeSettlement) -> Model:
    """Check an answer; returns the correct amount and the deciding paragraphs."""
    dealt = exercise.deal(game, settled.seed)
    if settled.place >= len(dealt.questions):
        return {"over": True}
    answer = SettledBet(settled.seat, settled.bet, settled.returned)
    return _correction(exercise.check(dealt, settled.place, answer))


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
    made = [choice for choice in choices.split(",") if choice]
    training = train(game, seed, made)
    shown = {
        "game": _game(game),
        "seed": seed,
        "choices": made,
        "question": training.question,
        "decided": [_decided(one) for one in training.decided],
        "cost": _worth(training.cost),
        "finished": _finished(training),
    }
    return page(request, "school_player.html", shown, by=visitor)


@router.post("/score")
def count(tried: Attempts) -> Model:
    """The score of the stored answers, weak spots first."""
    total = score(Attempt(one.game, one.subject, one.right, Fraction(one.cost)) for one in tried.attempts)
    spots = [{**fields_of(spot), "cost": _worth(spot.cost)} for spot in total.weak_spots]
    return {**fields_of(total), "cost": _worth(total.cost), "weak_spots": spots}


def _seed_with_question(game: str) -> int:
    """A round with a decision: a dealt blackjack has none."""
    while True:
        seed = secrets.randbelow(_SEEDS)
        try:
            if train(game, seed).question is not None:
                return seed
        except ProblemsError:
            return seed


def _game(name: str) -> dict[str, str]:
    return {"name": name, "title": registry.game(name).title}


def _seats(dealt: Exercise) -> list[Model]:
    """The seats with their bets in layout order, not in settlement order."""
    return [
        {
            "seat": seat.number,
            "cards": seat.cards,
            "said": seat.said,
            "folded": dealt.round.game.folded(dealt.round, seat),
            "bets": sorted(
                (
                    {"bet": one.bet, "staked": one.staked}
                    for one in dealt.questions
                    if one.seat == seat.number
                ),
                key=lambda bet: str(bet["bet"]),
            ),
        }
        for seat in dealt.round.seats
    ]


def _paytables(round_: Round) -> list[Paytable]:
    """The paytables of the bets on the layout; if the deal selects one, only that one."""
    on_layout = {wager for seat in round_.seats for wager in seat.wagers} | set(round_.game.riding)
    names = {wager.name: wager.paytable for wager in round_.game.wagers if wager.paytable}
    bets = {names.get(wager, wager) for wager in on_layout}
    hands = len(round_.seats) + 1
    chosen = {
        f"{bet}-{hands}" if bet in round_.game.chosen_by_deal else bet
        for bet in bets
        if bet in round_.game.paytable_bets
    }
    return [round_.paytables[name] for name in sorted(chosen)]


def _correction(found: Correction) -> Model:
    return {
        "right": found.right,
        "in_order": found.in_order,
        "seat": found.question.seat,
        "bet": found.question.bet,
        "due": found.due,
        "told": exercise.told(found),
        "paragraphs": _paragraphs(found.paragraphs),
    }


def _paragraphs(found: tuple[Paragraph, ...]) -> list[dict[str, str]]:
    """Distinct paragraphs; a letter may repeat one."""
    by_text = {one.says: one for one in reversed(found)}
    return [{"id": one.id, "where": str(one), "says": one.says} for one in found if by_text[one.says] is one]


def _decided(one: TakenDecision) -> Model:
    return {
        "name": one.decision.name,
        "choice": one.choice,
        "best": one.advice.best,
        "right": one.cost == 0,
        "cost": _worth(one.cost),
        "kept": f"{round(one.cost * _DIGITS)}/{_DIGITS}",
        "worth": {choice: _worth(worth) for choice, worth in one.advice.worth.items()},
        "exact": one.advice.exact,
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
