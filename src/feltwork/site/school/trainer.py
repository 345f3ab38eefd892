"""A player's trainer: the decisions of a dealt round, and the exact cost of each mistake."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from feltwork.money import Micros
from feltwork.odds import strategy
from feltwork.odds.title_odds import Advice
from feltwork.problem import Problem, ProblemsError, Sentence, listed
from feltwork.titles import registry
from feltwork.titles.cards.shoe import Shoe, decks_of
from feltwork.titles.round import Round
from feltwork.titles.sample_round import open_round
from feltwork.titles.settle import settle
from feltwork.titles.title import Decision


@dataclass(frozen=True, slots=True)
class TakenDecision:
    """A decision, the choice made and the best choice."""

    decision: Decision
    choice: str
    advice: Advice

    @property
    def cost(self) -> Fraction:
        """The expected loss of the choice, in units of the first wager; 0 for the best one."""
        return self.advice.cost_of(self.choice)


@dataclass(frozen=True, slots=True)
class Training:
    """A round in progress: the decisions so far, and the next question or the end."""

    game: str
    seed: int
    decided: tuple[TakenDecision, ...]
    question: Decision | None
    finished: Round | None = None
    net: Micros = 0

    @property
    def cost(self) -> Fraction:
        """The expected loss of all choices."""
        return sum((decision.cost for decision in self.decided), Fraction(0))


class _UnansweredError(Exception):
    """Stops the deal at an unanswered question."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(decision.name)
        self.decision = decision


def train(game: str, seed: int, choices: Sequence[str] = ()) -> Training:
    """Deal the round with a seed and play it up to the first unanswered question."""
    strategy.verify_solved(game)
    opened = _opened(game)
    decided: list[TakenDecision] = []

    def decide(decision: Decision) -> str:
        if len(decided) == len(choices):
            raise _UnansweredError(decision)
        choice = choices[len(decided)]
        if choice not in decision.choices:
            remedy = Sentence("choose from: %(choices)s", choices=listed(decision.choices))
            raise ProblemsError(
                [
                    Problem(
                        decision.name,
                        Sentence("%(choice)s is not a choice here", choice=f"{choice!r}"),
                        remedy,
                    )
                ]
            )
        decided.append(TakenDecision(decision, choice, strategy.advise(game, decision, opened.paytables)))
        return choice

    try:
        finished = registry.game(game).play(opened, _shoe(opened, game, seed), decide)
    except _UnansweredError as stop:
        return Training(game, seed, tuple(decided), stop.decision)
    (seat,) = settle(finished).seats
    return Training(game, seed, tuple(decided), None, finished, seat.net)


def _opened(game: str) -> Round:
    opened = open_round(registry.game(game), 1)
    (seat,) = opened.seats
    return replace(opened, seats=(replace(seat, jackpots=frozenset()),), jackpots=())


def _shoe(opened: Round, game: str, seed: int) -> Shoe:
    cards = list(decks_of(int(opened.options.get("decks", 1))))
    random.Random(f"{game} {seed}").shuffle(cards)
    return Shoe(cards)
