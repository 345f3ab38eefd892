"""6-5-4 Poker: exact prices from the counts, for any Ante Bonus.

The counts assume optimal play without an Ante Bonus. A bonus only changes the decision on a hand that is
otherwise folded: with 52 cards, hands below a pair of fives. A paytable that pays fives or better, as every
published paytable does, is therefore repriced without a recount.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Final

from feltwork.odds.four_card.class_pays import ClassPays, pays_by_class
from feltwork.odds.four_card.classes import PAY_CLASSES, pay_classes
from feltwork.odds.lazy_numpy import np
from feltwork.odds.titles.six_five_four.counts import (
    ALL_TIES,
    ALL_WINS,
    COLUMNS,
    DEALS,
    PLAYED,
    TIES,
    WINS,
    DealerCards,
    SixFiveFourCounts,
    cached_counts,
)
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry

FOLD_NET: Final = Fraction(-1)
ClassTotals = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class SixFiveFourSolution:
    """Optimal play and its figures; the house edge is per Ante and includes the Ante Bonus."""

    deals: int
    house_edge: Fraction
    element_of_risk: Fraction
    fold_frequency: Fraction
    ante_bonus_hit_frequency: Fraction
    variance: Fraction
    distribution: Mapping[Fraction, int]


@dataclass(frozen=True, slots=True)
class Threshold:
    """A rule to play a value or better; ``cost`` is its loss per Ante against optimal play."""

    shown: DealerCards
    value: int
    cost: Fraction


def class_totals(counts: SixFiveFourCounts) -> ClassTotals:
    """Sum the tally per pay class; at most 8.4e14, well within 64 bits."""
    classes, starts = np.unique(pay_classes(counts.values), return_index=True)
    sums = np.add.reduceat(counts.tally.sum(axis=0), starts, axis=0)
    totals: list[tuple[int, ...]] = [(0,) * COLUMNS] * PAY_CLASSES
    for row, pay_class in enumerate(classes):
        totals[int(pay_class)] = tuple(int(x) for x in sums[row])
    return tuple(totals)


def _played(row: Sequence[int], bonus: Fraction) -> tuple[int, int, int]:
    """Count the deals played, won and tied in a pay class with a bonus."""
    if bonus == 0 or row[PLAYED] == row[DEALS]:
        return row[PLAYED], row[WINS], row[TIES]
    if bonus > 1:
        # Playing costs at most 2 and folding 1, so a bonus above 1 makes every hand worth playing.
        return row[DEALS], row[ALL_WINS], row[ALL_TIES]
    what = "an Ante Bonus of at most 1 to 1 on hands that are sometimes folded changes play hand by hand"
    raise ProblemsError([Problem("ante_bonus", what, "pay it from two pair upward, or above 1 to 1")])


def net_results_of(row: Sequence[int], bonus: Fraction) -> tuple[tuple[Fraction, int], ...]:
    """Return the net results of a pay class with a bonus, and the number of deals with each."""
    played, wins, ties = _played(row, bonus)
    return (
        (FOLD_NET, row[DEALS] - played),
        (2 + bonus, wins),
        (bonus, ties),
        (bonus - 2, played - wins - ties),
    )


def solve(totals: ClassTotals, ante_bonus: ClassPays) -> SixFiveFourSolution:
    """Solve the game for an Ante Bonus per pay class, None where the table has no row."""
    if min(pay or 0 for pay in ante_bonus) < 0:
        what = "an Ante Bonus cannot lose: it has no stake of its own"
        raise ProblemsError([Problem("ante_bonus", what, 'pay at least "1 for 1", which pays nothing')])
    deals = sum(row[DEALS] for row in totals)
    distribution: dict[Fraction, int] = {}
    played_deals = paid = 0
    for row, pay in zip(totals, ante_bonus, strict=True):
        bonus = pay or Fraction(0)
        played, _, _ = _played(row, bonus)
        for net, count in net_results_of(row, bonus):
            if count:
                distribution[net] = distribution.get(net, 0) + count
        played_deals += played
        paid += played if bonus else 0
    mean = sum((net * count for net, count in distribution.items()), Fraction(0)) / deals
    square = sum((net * net * count for net, count in distribution.items()), Fraction(0)) / deals
    return SixFiveFourSolution(
        deals=deals,
        house_edge=-mean,
        element_of_risk=-mean * deals / (deals + played_deals),
        fold_frequency=1 - Fraction(played_deals, deals),
        ante_bonus_hit_frequency=Fraction(paid, deals),
        variance=square - mean * mean,
        distribution=dict(sorted(distribution.items())),
    )


def best_thresholds(counts: SixFiveFourCounts, groups: Sequence[Sequence[DealerCards]]) -> list[Threshold]:
    """Find the best threshold for each group of exposed dealer cards."""
    thresholds = []
    for group in groups:
        tally = counts.tally[[counts.shown.index(dealer_cards) for dealer_cards in group]].sum(axis=0)
        # Gain of playing over folding, in Antes: 2 * (wins - losses) + deals.
        gain = 2 * (2 * tally[:, ALL_WINS] + tally[:, ALL_TIES]) - tally[:, DEALS]
        from_here_up = np.cumsum(gain[::-1])[::-1]
        best = int(np.argmax(from_here_up))
        optimal = int((2 * (2 * tally[:, WINS] + tally[:, TIES]) - tally[:, PLAYED]).sum())
        cost = Fraction(optimal - int(from_here_up[best]), counts.deals)
        thresholds.append(Threshold(group[0], int(counts.values[best]), cost))
    return thresholds


@cache
def solution(ante_bonus: str = "1") -> SixFiveFourSolution:
    """Solve the game with a published Ante Bonus paytable."""
    pays = pays_by_class(registry.paytable("six_five_four", "ante_bonus", ante_bonus))
    return solve(class_totals(cached_counts()), pays)
