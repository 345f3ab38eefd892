"""A dealer's exercise: a dealt round with one question per bet, in procedure order."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from feltwork.money import DOLLAR, Micros
from feltwork.site.school.lessons import Procedure, cited_paragraphs, deciding, procedure
from feltwork.sources import Paragraph
from feltwork.titles import registry
from feltwork.titles.cards.shoe import Shoe, decks_of
from feltwork.titles.round import Round
from feltwork.titles.sample_round import open_round
from feltwork.titles.settle import settle
from feltwork.titles.settlement import BetResult, Settlement
from feltwork.titles.title import Decide

STAKES = (5 * DOLLAR, 10 * DOLLAR, 15 * DOLLAR, 25 * DOLLAR)
#: Number of deals from which the one with the most winning bets becomes the exercise.
DEALS = 8


@dataclass(frozen=True, slots=True)
class BetQuestion:
    """A bet that the dealer has to settle."""

    seat: int
    bet: str
    staked: Micros


@dataclass(frozen=True, slots=True)
class Exercise:
    """A round to settle, determined by game, seed and number of seats."""

    game: str
    seed: int
    round: Round
    settlement: Settlement
    questions: tuple[BetQuestion, ...]

    def result(self, question: BetQuestion) -> BetResult:
        """Return the correct settlement of a bet."""
        seat = next(seat for seat in self.settlement.seats if seat.seat == question.seat)
        return seat.bets[question.bet]


@dataclass(frozen=True, slots=True)
class SettledBet:
    """The trainee's answer: which bet comes next, and the amount returned, stake included."""

    seat: int
    bet: str
    returned: Micros


@dataclass(frozen=True, slots=True)
class Correction:
    """Whether an answer was right, the amount due and the paragraphs that apply."""

    question: BetQuestion
    in_order: bool
    right_amount: bool
    due: Micros
    why: str
    paragraphs: tuple[Paragraph, ...]

    @property
    def right(self) -> bool:
        """Whether both order and amount were right."""
        return self.in_order and self.right_amount


def deal(game: str, seed: int, *, seats: int = 3) -> Exercise:
    """Deal the exercise with a seed."""
    procedure(game)
    dice = random.Random(f"{game} {seed}")
    round_ = max((dealt(game, seats, dice) for _ in range(DEALS)), key=_winning_bets)
    return about(round_, seed)


def about(round_: Round, seed: int) -> Exercise:
    """Make the exercise about a dealt round."""
    settlement = settle(round_)
    questions = tuple(_questions(procedure(round_.game.name), round_, settlement))
    return Exercise(round_.game.name, seed, round_, settlement, questions)


def check(exercise: Exercise, place: int, answer: SettledBet) -> Correction:
    """Correct the answer to the question at a place, counted from 0."""
    question = exercise.questions[place]
    result = exercise.result(question)
    if (answer.seat, answer.bet) != (question.seat, question.bet):
        return _out_of_order(exercise, question, result)
    return Correction(
        question=question,
        in_order=True,
        right_amount=answer.returned == result.returned,
        due=result.returned,
        why=result.why,
        paragraphs=deciding(exercise.game, question.bet, result),
    )


def _out_of_order(exercise: Exercise, question: BetQuestion, result: BetResult) -> Correction:
    steps = procedure(exercise.game)
    folded = _is_folded(exercise.round, question.seat)
    cites = steps.folded_first if folded and steps.folded_first else steps.order
    return Correction(
        question=question,
        in_order=False,
        right_amount=False,
        due=result.returned,
        why=f"seat {question.seat}, {question.bet} comes first",
        paragraphs=cited_paragraphs(cites),
    )


def dealt(game: str, seats: int, dice: random.Random, decide: Decide | None = None) -> Round:
    """Deal and play a round without a jackpot, by rule of thumb unless ``decide`` is given."""
    declared = registry.game(game)
    opened = replace(open_round(declared, seats), jackpots=())
    stakes = [dice.choice(STAKES) for _ in opened.seats]
    opened = replace(
        opened,
        seats=tuple(
            replace(seat, wagers=dict.fromkeys(seat.wagers, stake), jackpots=frozenset())
            for seat, stake in zip(opened.seats, stakes, strict=True)
        ),
    )
    shoe = list(decks_of(int(opened.options.get("decks", 1))))
    dice.shuffle(shoe)
    return declared.play(opened, Shoe(shoe), decide or declared.rule_of_thumb)


def _winning_bets(round_: Round) -> int:
    return sum(bet.outcome == "win" for seat in settle(round_).seats for bet in seat.bets.values())


def _questions(steps: Procedure, round_: Round, settlement: Settlement) -> Iterator[BetQuestion]:
    seats = sorted(settlement.seats, key=lambda seat: seat.seat, reverse=steps.from_the_right)
    if steps.folded_first:
        seats.sort(key=lambda seat: not _is_folded(round_, seat.seat))
    every = [
        BetQuestion(seat.seat, name, result.staked) for seat in seats for name, result in seat.bets.items()
    ]
    yield from (question for question in every if question.bet not in steps.last)
    yield from (question for question in every if question.bet in steps.last)


def _is_folded(round_: Round, number: int) -> bool:
    seat = next(seat for seat in round_.seats if seat.number == number)
    return round_.game.folded(round_, seat)
