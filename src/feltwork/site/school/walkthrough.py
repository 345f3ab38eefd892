"""Lessons: dealt rounds, step by step, with the result of each bet under the rules."""

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, TypeVar

from feltwork.money import Micros
from feltwork.site.school.drills import Drill, drill
from feltwork.site.school.exercise import Exercise, about, dealt
from feltwork.site.school.lessons import cited_paragraphs, deciding, procedure
from feltwork.sources import Paragraph
from feltwork.titles import registry
from feltwork.titles.cards.card import Card
from feltwork.titles.settlement import BetResult
from feltwork.titles.title import Decision

LESSONS = 3
#: Minimum number of seats; a game with more kinds of wagers has a seat for each.
_SEATS = 2
#: Number of deals from which the lessons with the most varied results are chosen.
_DEALS, _DRILLS = 60, 24


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonStep:
    """The next event in a round: wagers, the deal, a decision, the cards turned over, or a bet settled."""

    kind: Literal["wagers", "deal", "decision", "reveal", "order", "settle"]
    seat: int = 0
    #: Cards to look at, by place on the layout or seat number.
    cards: Mapping[str, tuple[Card, ...]] = field(default_factory=dict)
    #: Wagers on the layout, by seat and bet.
    wagers: Mapping[int, Mapping[str, Micros]] = field(default_factory=dict)
    decision: str = ""
    choice: str = ""
    bet: str = ""
    result: BetResult | None = None
    paragraphs: tuple[Paragraph, ...] = ()


@dataclass(frozen=True, slots=True)
class WorkedLesson:
    """A round and its steps, in the order in which a dealer takes them."""

    exercise: Exercise
    steps: tuple[LessonStep, ...]

    @property
    def shows(self) -> frozenset[tuple[str, str]]:
        """The results and decisions that it shows a trainee."""
        settled = {(step.bet, step.result.outcome) for step in self.steps if step.result}
        return frozenset(settled | {(step.decision, step.choice) for step in self.steps if step.decision})


L = TypeVar("L", WorkedLesson, Drill)


@cache
def worked_lessons(game: str) -> tuple[WorkedLesson, ...]:
    """Return the lessons of a game, which together show as many different results as possible."""
    return _most_different(_lesson(game, seed) for seed in range(_DEALS))


@cache
def drill_lessons(course: str) -> tuple[Drill, ...]:
    """Return the lessons of a drill: dealt drills with their answers, none of them an exercise."""
    return _most_different(drill(course, seed) for seed in range(-_DRILLS, 0))


def _most_different(lessons: Iterable[L]) -> tuple[L, ...]:
    waiting = list(lessons)
    chosen: list[L] = []
    topics: frozenset[tuple[str, str]] = frozenset()
    while len(chosen) < LESSONS:
        best = max(waiting, key=lambda lesson: len(lesson.shows - topics))
        waiting.remove(best)
        chosen.append(best)
        topics |= best.shows
    return tuple(chosen)


def _lesson(game: str, seed: int) -> WorkedLesson:
    decided: list[tuple[Decision, str]] = []
    declared = registry.game(game)

    def decide(decision: Decision) -> str:
        choice = declared.rule_of_thumb(decision)
        decided.append((decision, choice))
        return choice

    seats = max(_SEATS, len(declared.openings))
    exercise = about(dealt(game, seats, random.Random(f"lesson {game} {seed}"), decide), seed)
    return WorkedLesson(exercise, tuple(_steps(exercise, decided)))


def _steps(exercise: Exercise, decided: list[tuple[Decision, str]]) -> Iterator[LessonStep]:
    round_ = exercise.round
    opening = {name for names in round_.game.openings for name in names}
    placed = {
        seat.number: {name: amount for name, amount in seat.wagers.items() if name in opening}
        for seat in round_.seats
    }
    yield LessonStep(kind="wagers", wagers=placed)
    if round_.game.seat_cards:
        yield LessonStep(kind="deal", cards={str(seat.number): seat.cards for seat in round_.seats})
    for decision, choice in decided:
        cards = {**decision.sees, str(decision.seat): decision.cards}
        yield LessonStep(
            kind="decision", seat=decision.seat, decision=decision.name, choice=choice, cards=cards
        )
    yield LessonStep(
        kind="reveal", cards={place: cards for place, cards in round_.table_cards.items() if cards}
    )
    steps = procedure(exercise.game)
    yield LessonStep(kind="order", paragraphs=cited_paragraphs((*steps.folded_first, *steps.order)))
    for question in exercise.questions:
        result = exercise.result(question)
        yield LessonStep(
            kind="settle",
            seat=question.seat,
            bet=question.bet,
            result=result,
            paragraphs=deciding(exercise.game, question.bet, result),
        )
