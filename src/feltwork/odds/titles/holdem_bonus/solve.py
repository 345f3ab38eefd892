"""Optimal play of Hold'em Bonus and its value, in exact fractions of the Ante.

All three criteria of the letter are solved from the same counts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Literal, get_args

from feltwork.odds.titles.holdem_bonus.counts import (
    STARTING_HANDS,
    HoldemBonusCounts,
    Outcomes,
    cached_counts,
    pairs_in,
    starting_hand,
)

Criterion = Literal["flush", "straight", "three_tens"]
CRITERIA: tuple[Criterion, ...] = get_args(Criterion)
HOLE_PAIRS = 1326
# Flops and turns for a pair of hole cards, and rivers times dealer pairs after each.
FLOPS_AND_TURNS = 19_600 * 47
DEALS_AFTER_TURN = 46 * 990
DEALS = FLOPS_AND_TURNS * DEALS_AFTER_TURN


@dataclass(frozen=True, slots=True)
class Betting:
    """One betting line of a starting hand and its outcomes."""

    turn_bet: int
    river_bet: int
    outcomes: Outcomes


@dataclass(frozen=True, slots=True)
class HoldemSolution:
    """Optimal play for one criterion, in Antes; `distribution` maps net results to probabilities."""

    criterion: Criterion
    expected: Fraction
    mean_stake: Fraction
    fold_frequency: Fraction
    turn_bet_frequency: Fraction
    river_bet_frequency: Fraction
    folds: tuple[str, ...]
    distribution: dict[int, Fraction]

    @property
    def house_edge(self) -> Fraction:
        """The house edge per Ante."""
        return -self.expected

    @property
    def element_of_risk(self) -> Fraction:
        """The house edge per unit staked."""
        return -self.expected / self.mean_stake

    @property
    def variance(self) -> Fraction:
        """The variance of the net result, in Antes squared."""
        second = sum((net * net * chance for net, chance in self.distribution.items()), Fraction())
        return second - self.expected**2


def won_with_criterion(outcomes: Outcomes, criterion: Criterion) -> int:
    """Count the deals won with a hand that also pays the Ante."""
    match criterion:
        case "flush":
            return outcomes.won_flush
        case "straight":
            return outcomes.won_straight
        case "three_tens":
            return outcomes.won_three_tens


def _bettings(counts: HoldemBonusCounts, hand: int) -> Iterator[Betting]:
    for turn_bet in (0, 1):
        for river_bet in (0, 1):
            yield Betting(turn_bet, river_bet, counts.outcomes[hand][turn_bet][river_bet])


def net_total(outcomes: Outcomes, criterion: Criterion, *, bets: int) -> int:
    """Return the net result over all counted deals, with `bets` Antes staked on top of the Ante.

    A win pays the bets even money and the Ante only if the criterion is met; a loss takes all [TH.deal.12].
    """
    return bets * (outcomes.won - outcomes.lost) + won_with_criterion(outcomes, criterion) - outcomes.lost


def play_value(counts: HoldemBonusCounts, hand: int, criterion: Criterion) -> Fraction:
    """Return the value of the Flop bet with a starting hand under optimal play."""
    net = sum(
        net_total(way.outcomes, criterion, bets=2 + way.turn_bet + way.river_bet)
        for way in _bettings(counts, hand)
    )
    return Fraction(net, pairs_in(hand) * DEALS)


def solve(counts: HoldemBonusCounts, criterion: Criterion) -> HoldemSolution:
    """Solve the game: fold the hands whose Flop bet is worth no more than losing the Ante."""
    folds = tuple(
        hand for hand in range(STARTING_HANDS) if play_value(counts, hand, criterion) <= Fraction(-1)
    )
    folded = sum(pairs_in(hand) for hand in folds)
    net_counts: dict[int, int] = {-1: folded * DEALS}
    turn_bets = river_bets = 0
    for hand in set(range(STARTING_HANDS)) - set(folds):
        for way in _bettings(counts, hand):
            turn_bets += way.turn_bet * way.outcomes.decisions
            river_bets += way.river_bet * way.outcomes.decisions
            for net, deals in _net_results(way, criterion).items():
                net_counts[net] = net_counts.get(net, 0) + deals
    whole = HOLE_PAIRS * DEALS
    assert sum(net_counts.values()) == whole, "every deal is counted once"
    distribution = {net: Fraction(net_counts[net], whole) for net in sorted(net_counts)}
    decisions = HOLE_PAIRS * FLOPS_AND_TURNS
    fold_frequency = Fraction(folded, HOLE_PAIRS)
    turn_bet_frequency = Fraction(turn_bets, decisions)
    river_bet_frequency = Fraction(river_bets, decisions)
    return HoldemSolution(
        criterion=criterion,
        expected=sum((net * chance for net, chance in distribution.items()), Fraction()),
        mean_stake=1 + 2 * (1 - fold_frequency) + turn_bet_frequency + river_bet_frequency,
        fold_frequency=fold_frequency,
        turn_bet_frequency=turn_bet_frequency,
        river_bet_frequency=river_bet_frequency,
        folds=tuple(starting_hand(hand) for hand in folds),
        distribution=distribution,
    )


def _net_results(way: Betting, criterion: Criterion) -> dict[int, int]:
    bets = 2 + way.turn_bet + way.river_bet
    outcomes = way.outcomes
    ante_paid = won_with_criterion(outcomes, criterion)
    return {
        bets + 1: ante_paid,
        bets: outcomes.won - ante_paid,
        0: outcomes.decisions * DEALS_AFTER_TURN - outcomes.won - outcomes.lost,
        -bets - 1: outcomes.lost,
    }


def criterion_of(name: object) -> Criterion:
    """Return the Ante criterion with a name."""
    return next(criterion for criterion in CRITERIA if criterion == name)


@cache
def solution(criterion: str) -> HoldemSolution:
    """Solve the game for a criterion of the Ante."""
    return solve(cached_counts(), criterion_of(criterion))
