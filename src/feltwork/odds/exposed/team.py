"""A player's gain from cards seen beyond the rules: random hands, decided exactly with and without them."""

import random
from dataclasses import asdict, dataclass, replace
from math import sqrt
from statistics import fmean, pstdev

from feltwork.odds.exposed.cards import EXPOSED, HOLE, unseen
from feltwork.odds.simulate import opened_for
from feltwork.odds.strategy import player
from feltwork.odds.title_odds import Asks, odds_of
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.titles.cards.card import DECK
from feltwork.titles.cards.shoe import Shoe
from feltwork.titles.title import Decision, Game


@dataclass(frozen=True, slots=True)
class TeamGain:
    """The gain per round in units of the first wager, and how often the cards seen change a decision."""

    exposed: int
    hole: int
    rounds: int
    gain: float
    standard_error: float
    changed: float

    def as_json(self) -> dict[str, object]:
        """Return the estimate for programs."""
        return {**asdict(self), "how": "sampled"}


def team_gain(game: Game, *, exposed: int, hole: int, rounds: int, seed: int) -> TeamGain:
    """Estimate a player's gain from seeing this many cards of other hands and of the dealer.

    The cards are drawn at random from the unseen cards. Their value is exact, so only the hands are sampled.
    """
    decision_inputs = _asks(game, exposed, hole)
    opened = opened_for(game)
    plain, dice = player(game.name, opened.paytables, opened.options), random.Random(seed)
    advise = odds_of(game.name).advise
    assert advise is not None, "a game that asks advises"
    gains: list[float] = []

    def decide(decision: Decision) -> str:
        choice = plain(decision)
        if decision.name in decision_inputs.exposed:
            seen_cards = [DECK[card] for card in dice.sample(unseen(decision), exposed + hole)]
            also = {EXPOSED: tuple(seen_cards[:exposed]), HOLE: tuple(seen_cards[exposed:])}
            advice = advise(replace(decision, sees={**decision.sees, **also}), opened.paytables)
            gains[-1] += float(advice.cost_of(choice))
        return choice

    for _ in range(rounds):
        gains.append(0.0)
        game.play(opened, Shoe(dice.sample(DECK, len(DECK))), decide)
    changed = sum(gain > 0 for gain in gains) / rounds
    return TeamGain(exposed, hole, rounds, fmean(gains), pstdev(gains) / sqrt(rounds), changed)


def _asks(game: Game, exposed: int, hole: int) -> Asks:
    """Refuse a game or a number of cards that is not counted."""
    decision_inputs = odds_of(game.name).asks
    if decision_inputs is None or not decision_inputs.exposed:
        counted = [name for name in registry.names() if (inputs := odds_of(name).asks) and inputs.exposed]
        what, remedy = "team gain is not available for this game", f"choose from: {', '.join(counted)}"
        raise ProblemsError([Problem(game.name, what, remedy)])
    problems = [
        Problem(
            f"--{place}", f"{count} cards is out of range", f"choose 0 to {max(decision_inputs.sees[place])}"
        )
        for place, count in ((EXPOSED, exposed), (HOLE, hole))
        if count not in decision_inputs.sees[place]
    ]
    if problems:
        raise ProblemsError(problems)
    return decision_inputs
