"""Simulated rounds of any game, through the title's own `play` and `settle`.

The rules as written deal, play and settle the rounds, so a simulation checks counts that were computed
another way. If a title defines which rounds are alike, one round of each class is played and the others are
counted in batches; otherwise every round is played, a few thousand a second.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt

from feltwork import money
from feltwork.money import Micros
from feltwork.odds.batches import Strategy, classes
from feltwork.odds.figures.figure import decimal
from feltwork.odds.strategy import player
from feltwork.odds.title_odds import odds_of
from feltwork.titles.cards.shoe import Shoe, decks_of
from feltwork.titles.round import Round, Seat
from feltwork.titles.sample_round import STAKE, open_round
from feltwork.titles.settle import settle
from feltwork.titles.settlement import SeatResult
from feltwork.titles.title import Decide, Game

#: Upper bound on the cards that a seat and a dealer draw in any game.
MOST_CARDS = 60


@dataclass(slots=True)
class BetTally:
    """Results of one bet, in units of its wager."""

    nets: Counter[Fraction]

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return sum(self.nets.values())

    @property
    def mean(self) -> float:
        """The mean net result."""
        return float(sum((net * count for net, count in self.nets.items()), Fraction(0)) / self.rounds)

    @property
    def standard_error(self) -> float:
        """The standard error of the mean."""
        squares = sum(float(net) ** 2 * count for net, count in self.nets.items()) / self.rounds
        return sqrt(max(squares - self.mean**2, 0.0) / self.rounds)

    def as_json(self) -> dict[str, object]:
        """Return the figures for programs."""
        return {"mean_net": self.mean, "standard_error": self.standard_error}


@dataclass(slots=True)
class PairTally:
    """Results of the base game and of one side bet in the same rounds, each in units of its wager."""

    nets: Counter[tuple[Fraction, Fraction]]

    def as_json(self) -> dict[str, float]:
        """Return covariance and correlation; the error is that of the sampled covariance."""
        rounds = sum(self.nets.values())
        base, side = (
            sum(float(pair[place]) * count for pair, count in self.nets.items()) / rounds for place in (0, 1)
        )
        products = [
            ((float(own) - base) * (float(other) - side), count) for (own, other), count in self.nets.items()
        ]
        covariance = sum(product * count for product, count in products) / rounds
        spread = sum((product - covariance) ** 2 * count for product, count in products) / rounds
        squares = [
            sum((float(pair[place]) - mean) ** 2 * count for pair, count in self.nets.items()) / rounds
            for place, mean in ((0, base), (1, side))
        ]
        both = sqrt(squares[0] * squares[1])
        return {
            "covariance": covariance,
            "standard_error": sqrt(spread / rounds),
            "correlation": covariance / both if both else 0.0,
            "variance_together": squares[0] + squares[1] + 2 * covariance,
        }


@dataclass(frozen=True, slots=True)
class SimulatedGame:
    """Results of the base game's wagers together, each side bet, and each side bet with the base game."""

    base: BetTally
    bets: dict[str, BetTally]
    with_base: dict[str, PairTally]

    def as_json(self) -> dict[str, object]:
        """Return the figures for programs."""
        distribution = [
            {"net": decimal(net, 8), "rounds": count, "share": count / self.base.rounds}
            for net, count in sorted(self.base.nets.items(), reverse=True)
        ]
        bets = {name: tally.as_json() for name, tally in self.bets.items()}
        combined = {name: pair.as_json() for name, pair in self.with_base.items()}
        return {**self.base.as_json(), "bets": bets, "with_base": combined, "distribution": distribution}


def simulate(game: Game, *, rounds: int, seed: int, strategy: Strategy) -> SimulatedGame:
    """Deal, play and settle rounds of one seat that makes every bet."""
    opened = opened_for(game)
    decide: Decide = game.rule_of_thumb
    if strategy == "exact":
        decide = player(game.name, opened.paytables, opened.options)
    base: BetTally = BetTally(Counter())
    bets: dict[str, BetTally] = {}
    pairs: dict[str, PairTally] = {}
    side_bets = {wager.name for wager in game.wagers if wager.is_side_bet}
    for round_, times in _played(opened, strategy, decide, rounds=rounds, seed=seed):
        (result,) = settle(round_).seats
        nets = net_of_bets(round_.seats[0], result)
        first = opened.seats[0].wager(next(name for name in game.base if opened.seats[0].wager(name)))
        own = sum((net for name, net in nets.items() if name not in side_bets), Fraction(0))
        base.nets[own / first] += times
        for name in side_bets & set(nets):
            net = nets[name] / opened.seats[0].wager(name)
            bets.setdefault(name, BetTally(Counter())).nets[net] += times
            pairs.setdefault(name, PairTally(Counter())).nets[own / first, net] += times
    return SimulatedGame(base, dict(sorted(bets.items())), dict(sorted(pairs.items())))


def opened_for(game: Game) -> Round:
    """Open a round of one seat that makes every bet."""
    opened = open_round(game, 1)
    opening = max(game.openings, key=len)
    wagers: dict[str, Micros] = dict.fromkeys(opening, STAKE)
    seat = replace(opened.seats[0], wagers=wagers, jackpots=frozenset())
    return replace(opened, seats=(seat,), jackpots=())


def _played(
    opened: Round, strategy: Strategy, decide: Decide, *, rounds: int, seed: int
) -> Iterator[tuple[Round, int]]:
    """Yield played rounds, each with the number of rounds it represents."""
    tell = odds_of(opened.game.name).alike
    alike = tell(opened.paytables, opened.options, strategy) if tell else None
    if alike is not None:
        yield from classes(opened, alike, rounds=rounds, seed=seed, decide=decide)
        return
    for round_ in _dealt(opened, rounds, seed, decide):
        yield round_, 1


def _dealt(opened: Round, rounds: int, seed: int, decide: Decide) -> Iterator[Round]:
    dice, shoe = random.Random(seed), decks_of(int(opened.options.get("decks", 1)))
    for _ in range(rounds):
        cards = dice.sample(shoe, min(MOST_CARDS, len(shoe)))
        yield opened.game.play(opened, Shoe(cards), decide)


def net_of_bets(seat: Seat, result: SeatResult) -> dict[str, Fraction]:
    """Return each bet's net result; proceeds that House Money left on the bet count for House Money."""
    nets = {name: Fraction(bet.returned - bet.staked) for name, bet in result.bets.items()}
    left = money.parse(seat.said.get("house_money_left", "0"))
    if left:
        parlay = nets["bet"] * left / (seat.wager("bet") + left)
        nets["house_money"] += parlay
        nets["bet"] -= parlay
    return nets
