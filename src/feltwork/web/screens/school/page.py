"""The school: a dealer settles dealt rounds, a player takes decisions, and every mistake gets its rule."""

import secrets
from fractions import Fraction
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, Field

from feltwork.money import Micros
from feltwork.odds import strategy
from feltwork.problem import ProblemsError
from feltwork.school import exercise
from feltwork.school.exercise import Correction, Exercise, SettledBet
from feltwork.school.lessons import cited_paragraphs, procedure, taught
from feltwork.school.score import Attempt, score
from feltwork.school.trainer import TakenDecision, Training, train
from feltwork.sources import Paragraph
from feltwork.titles import registry
from feltwork.titles.round import Round
from feltwork.titles.title import Decision
from feltwork.web.rendering.templating import Model, page
from feltwork.web.security.auth import Visitor

router = APIRouter(prefix="/school")

_SEEDS = 10**9
#: As fine as a browser keeps the cost of a mistake.
_DIGITS = 10**12
Game = Annotated[str, Path(pattern="^[a-z0-9_]{1,40}$")]
Seed = Annotated[int, Query(ge=0, lt=_SEEDS)]


class TraineeSettlement(BaseModel):
    """What a trainee gave to a player: the bet that was taken up, and the amount with the stake."""

    seed: int = Field(ge=0, lt=_SEEDS)
    place: int = Field(ge=0, le=200)
    seat: int = Field(ge=1, le=9)
    bet: str = Field(max_length=40)
    returned: Micros = Field(ge=0, le=10**15)


class TraineeAnswer(BaseModel):
    """One answer as a browser keeps it."""

    game: str = Field(max_length=40)
    subject: str = Field(max_length=40)
    right: bool
    #: A fraction such as ``3/40``, in units of the first wager.
    cost: str = Field(default="0", pattern=r"^[0-9]{1,40}(/[1-9][0-9]{0,39})?$")


class Attempts(BaseModel):
    """All answers that a browser has kept."""

    attempts: list[TraineeAnswer] = Field(max_length=5_000)


@router.get("")
def school(request: Request, visitor: Visitor) -> Response:
    """Choose a game, as a dealer or as a player; how the trainee does is kept in the browser."""
    told = {
        "dealer": [_game(name) for name in taught()],
        "player": [_game(name) for name in strategy.SOLVED],
    }
    return page(request, "school.html", told, by=visitor)


@router.get("/dealer/{game}")
def dealer(request: Request, visitor: Visitor, game: Game, seed: Seed | None = None) -> Response:
    """A dealt round to settle, bet by bet, in the order of the procedure."""
    procedure(game)
    if seed is None:
        return RedirectResponse(f"/school/dealer/{game}?seed={secrets.randbelow(_SEEDS)}", 303)
    dealt = exercise.deal(game, seed)
    told = {
        "game": _game(game),
        "seed": seed,
        "questions": len(dealt.questions),
        "table": _table(dealt.round),
        "paytables": _paytables(dealt.round),
        "seats": _seats(dealt),
        "order": _paragraphs(cited_paragraphs(procedure(game).order)),
    }
    return page(request, "school_dealer.html", told, by=visitor)


@router.post("/dealer/{game}/check")
def check(game: Game, settled: TraineeSettlement) -> Model:
    """Correct one answer; it says what was due and which paragraph decides."""
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
    """A round to play: the question that is open, and what every choice so far was worth."""
    if seed is None:
        return RedirectResponse(f"/school/player/{game}?seed={_seed_with_question(game)}", 303)
    made = [choice for choice in choices.split(",") if choice]
    training = train(game, seed, made)
    told = {
        "game": _game(game),
        "seed": seed,
        "choices": made,
        "question": _question(training.question) if training.question else None,
        "decided": [_decided(one) for one in training.decided],
        "cost": _worth(training.cost),
        "finished": _finished(training),
    }
    return page(request, "school_player.html", told, by=visitor)


@router.post("/score")
def count(tried: Attempts) -> Model:
    """The score of kept answers, with the weak spots first."""
    found = score(Attempt(one.game, one.subject, one.right, Fraction(one.cost)) for one in tried.attempts)
    return {
        "asked": found.asked,
        "right": found.right,
        "cost": _worth(found.cost),
        "weak_spots": [
            {"game": spot.game, "subject": spot.subject, "asked": spot.asked, "wrong": spot.wrong}
            for spot in found.weak_spots
        ],
    }


def _seed_with_question(game: str) -> int:
    """A round in which something is asked: at blackjack a dealt blackjack ends it before."""
    while True:
        seed = secrets.randbelow(_SEEDS)
        try:
            if train(game, seed).question is not None:
                return seed
        except ProblemsError:
            return seed


def _game(name: str) -> dict[str, str]:
    return {"name": name, "title": registry.game(name).title}


def _table(round_: Round) -> list[Model]:
    return [
        {"place": place, "cards": [str(card) for card in cards]}
        for place, cards in round_.table_cards.items()
        if cards
    ]


def _seats(dealt: Exercise) -> list[Model]:
    """The seats with their bets, in the order of the layout and not of the procedure."""
    return [
        {
            "seat": seat.number,
            "cards": [str(card) for card in seat.cards],
            "said": dict(seat.said),
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


def _paytables(round_: Round) -> list[Model]:
    """What the layout prints for the bets that are on it; of those the deal chooses, the one that holds."""
    on_layout = {wager for seat in round_.seats for wager in seat.wagers} | set(round_.game.riding)
    names = {wager.name: wager.paytable for wager in round_.game.wagers if wager.paytable}
    bets = {names.get(wager, wager) for wager in on_layout}
    hands = len(round_.seats) + 1
    chosen = {
        f"{bet}-{hands}" if bet in round_.game.chosen_by_deal else bet
        for bet in bets
        if bet in round_.game.paytable_bets
    }
    return [
        {
            "bet": round_.paytables[name].bet,
            "id": round_.paytables[name].id,
            "rows": [{"hand": row.hand, "pays": str(row.pays)} for row in round_.paytables[name].rows],
        }
        for name in sorted(chosen)
    ]


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
    """Each once, also where a letter says the same in two places."""
    by_text = {one.says: one for one in reversed(found)}
    return [{"id": one.id, "where": str(one), "says": one.says} for one in found if by_text[one.says] is one]


def _question(asked: Decision) -> Model:
    return {
        "name": asked.name,
        "choices": list(asked.choices),
        "cards": [str(card) for card in asked.cards],
        "sees": [
            {"place": place, "cards": [str(card) for card in cards]}
            for place, cards in asked.sees.items()
            if cards
        ],
    }


def _decided(one: TakenDecision) -> Model:
    return {
        **_question(one.decision),
        "choice": one.choice,
        "best": one.advice.best,
        "right": one.cost == 0,
        "cost": _worth(one.cost),
        "kept": f"{round(one.cost * _DIGITS)}/{_DIGITS}",
        "worth": {choice: _worth(worth) for choice, worth in one.advice.worth.items()},
    }


def _worth(worth: Fraction) -> str:
    """A worth in units of the first wager, to a hundredth of a percent of it."""
    rounded = round(worth * 10_000)
    sign = "-" if rounded < 0 else ""
    units, rest = divmod(abs(rounded), 10_000)
    return f"{sign}{units}.{rest:04d}"


def _finished(training: Training) -> Model | None:
    if training.finished is None:
        return None
    (seat,) = training.finished.seats
    return {
        "table": _table(training.finished),
        "cards": [str(card) for card in seat.cards],
        "net": training.net,
    }
