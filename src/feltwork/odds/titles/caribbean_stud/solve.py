"""Caribbean Stud: optimal play and exact prices from the counts, for any pays of the Raise."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from feltwork.odds.lazy_numpy import np
from feltwork.odds.pricing import net_pay
from feltwork.odds.titles.caribbean_stud.raise_counts import (
    EQUAL,
    HIGHER,
    LOWER,
    PAY_CLASSES,
    UNQUALIFIED,
    RaiseCounts,
    cached_counts,
    raise_gain,
)
from feltwork.titles import registry
from feltwork.titles.games.caribbean_stud.rules import RAISE_ROWS
from feltwork.titles.hands.category import Hand, names_of
from feltwork.titles.hands.five_card import ROYAL_FLUSH, FiveCardCategory
from feltwork.titles.paytables.paytable import Paytable

if TYPE_CHECKING:
    import numpy.typing as npt

#: Win on one unit of the Raise, by pay class.
RaisePays: TypeAlias = tuple[Fraction, ...]
CLASS_NAMES = tuple(
    names_of(hand, RAISE_ROWS) for hand in (*(Hand(kind, (2,)) for kind in FiveCardCategory), ROYAL_FLUSH)
)
#: The size of the Raise in Antes.
RAISE = 2


@dataclass(frozen=True, slots=True)
class CaribbeanStudSolution:
    """Optimal play and its price; the house edge is per Ante."""

    #: Whether each case of the counts raises.
    raises: "npt.NDArray[np.bool_]"
    house_edge: Fraction
    element_of_risk: Fraction
    fold_frequency: Fraction
    variance: Fraction
    distribution: Mapping[Fraction, int]


def pays_of(paytable: Paytable) -> RaisePays:
    """Return the net win of each pay class; a win that no row pays loses the Raise."""
    rows = (paytable.row_for(names) for names in CLASS_NAMES)
    return tuple(Fraction(-1) if row is None else net_pay(row) for row in rows)


def net(outcome: int, pay: Fraction) -> Fraction:
    """Return the net result of a Raise in Antes [public rules]."""
    return {UNQUALIFIED: Fraction(1), LOWER: 1 + RAISE * pay, EQUAL: Fraction(0), HIGHER: Fraction(-3)}[
        outcome
    ]


def solve(counts: RaiseCounts, pays: RaisePays) -> CaribbeanStudSolution:
    """Solve the game for given pays of the Raise."""
    # Python integers, because a drafted pay may not fit in 64 bits.
    classes = counts.cases[:, 0]
    outcomes = counts.cases[:, 1:5].T.astype(object)
    wins = np.array([pay.numerator for pay in pays], dtype=object)[classes]
    per = np.array([pay.denominator for pay in pays], dtype=object)[classes]
    raises = (raise_gain(outcomes, wins, per) > 0).astype(np.bool_)
    totals = np.array(counts.raised)
    weighted = counts.cases[:, 1:5] * counts.cases[:, 5:]
    for pay_class in range(PAY_CLASSES):
        totals[pay_class] += weighted[raises & (classes == pay_class)].sum(axis=0)
    folded = int(counts.folded.sum() + weighted[~raises].sum())
    distribution: Counter[Fraction] = Counter({Fraction(-1): folded})
    for pay_class, row in enumerate(totals.tolist()):
        for outcome, deals in enumerate(row):
            if deals:
                distribution[net(outcome, pays[pay_class])] += deals
    deals = sum(distribution.values())
    mean = sum((amount * count for amount, count in distribution.items()), Fraction(0)) / deals
    square = sum((amount * amount * count for amount, count in distribution.items()), Fraction(0)) / deals
    fold_frequency = Fraction(folded, deals)
    return CaribbeanStudSolution(
        raises=raises,
        house_edge=-mean,
        element_of_risk=-mean / (1 + RAISE * (1 - fold_frequency)),
        fold_frequency=fold_frequency,
        variance=square - mean * mean,
        distribution=distribution,
    )


@cache
def solved_for(pays: RaisePays) -> CaribbeanStudSolution:
    """Solve the game on the cached counts."""
    return solve(cached_counts(), pays)


def solution() -> CaribbeanStudSolution:
    """Solve the game with the usual pays."""
    return solved_for(pays_of(registry.paytable("caribbean_stud", "raise", "standard")))
