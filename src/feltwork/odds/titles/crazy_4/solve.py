"""Crazy 4 Poker: optimal play and exact prices from the counts, for any pays.

Decisions are made hand by hand in 64-bit integers (``_decide`` checks for overflow); prices are fractions
built from totals per pay class.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import lcm
from typing import Final, Literal

from feltwork.odds.atoms import Atoms, Names
from feltwork.odds.four_card.class_pays import ClassPays, pays_by_class
from feltwork.odds.four_card.classes import (
    CATEGORY_SHIFT,
    PAIR_OF_ACES,
    PAY_CLASSES,
    Int8Array,
    Int64Array,
    pay_classes,
)
from feltwork.odds.lazy_numpy import np
from feltwork.odds.titles.crazy_4.counts import (
    BAD_BEAT_CATEGORIES,
    LOSS,
    OUTCOMES,
    TIE,
    UNQUALIFIED_LOSS,
    UNQUALIFIED_TIE,
    UNQUALIFIED_WIN,
    WIN,
    Crazy4Counts,
    cached_counts,
)
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.titles.hands.category import Hand, names_of
from feltwork.titles.hands.four_card import ROWS, FourCardCategory

FIRST_TABLE = "C4P-09"
Unqualified = Literal["compare", "push"]
ClassTotals = tuple[tuple[int, ...], ...]

FOLD: Final = 0
# Between 1x and 3x the result is linear in the stake, so 2x is never better than both ends.
STAKES: Final = (FOLD, 1, 3)
BIGGEST_PLAY: Final = 3
PLAY_WINS: Final = (UNQUALIFIED_WIN, UNQUALIFIED_TIE, UNQUALIFIED_LOSS, WIN)


@dataclass(frozen=True, slots=True)
class Bases:
    """Data derived from the counts, independent of pays."""

    classes: Int64Array
    class_starts: Int64Array
    present: tuple[int, ...]
    play_net: Int64Array
    ante_net: Int64Array
    losses: Int64Array
    qualified_losses: Int64Array
    may_raise: Int8Array
    weighted: Int64Array
    class_totals: Int64Array
    multiplicity: Int64Array
    dealer_hands: int


@dataclass(frozen=True, slots=True)
class CrazyFourSolution:
    """Optimal play and its price; the house edge is per Ante.

    ``stakes`` is the Play wager per hand in the order of the counts, 0 for a fold.
    ``totals[stake][pay_class][outcome]`` counts deals.
    """

    stakes: Int8Array
    totals: Mapping[int, ClassTotals]
    deals: int
    house_edge: Fraction
    element_of_risk: Fraction
    fold_frequency: Fraction
    raise_frequency: Fraction
    win_frequency: Fraction
    super_bonus_hit_frequency: Fraction
    variance: Fraction
    distribution: Mapping[Fraction, int]


def prepare(counts: Crazy4Counts) -> Bases:
    """Derive everything that does not depend on pays."""
    outcomes = counts.outcomes.astype(np.int64)
    multiplicity = counts.multiplicity.astype(np.int64)
    classes = pay_classes(counts.values)
    ante_net = outcomes[WIN] - outcomes[LOSS]
    unqualified = outcomes[UNQUALIFIED_WIN] + outcomes[UNQUALIFIED_TIE] + outcomes[UNQUALIFIED_LOSS]
    present, starts = np.unique(classes, return_index=True)
    return Bases(
        classes=classes,
        class_starts=starts.astype(np.int64),
        present=tuple(int(c) for c in present),
        play_net=unqualified + ante_net,
        ante_net=ante_net,
        losses=outcomes[UNQUALIFIED_LOSS] + outcomes[LOSS],
        qualified_losses=outcomes[LOSS],
        may_raise=(counts.values >= PAIR_OF_ACES).astype(np.int8),
        weighted=outcomes * multiplicity,
        class_totals=np.add.reduceat(outcomes * multiplicity, starts, axis=1),
        multiplicity=multiplicity,
        dealer_hands=counts.dealer_hands,
    )


def _decide(bases: Bases, super_bonus: ClassPays, unqualified: Unqualified) -> Int8Array:
    """Choose the best Play wager of each hand; ties go to the smaller wager."""
    scale = lcm(*(pay.denominator for pay in super_bonus if pay is not None))
    pays = [int((pay or 0) * scale) for pay in super_bonus]
    # A hand's sums stay below dealer_hands * scale * (pay + 5), where dealer_hands is 1,533,939.
    if bases.dealer_hands * (max(pays) + 5 * scale) >= 1 << 62:
        what = "the Super Bonus pays are too large or too fine to compare in 64 bits"
        raise ProblemsError([Problem("super_bonus", what, "use smaller pays and denominators")])
    best_play = np.where((bases.may_raise == 1) & (bases.play_net > 0), BIGGEST_PLAY, 1)
    unpaid = -bases.losses if unqualified == "compare" else -bases.qualified_losses
    paid = np.array(pays, dtype=np.int64)[bases.classes]
    has_row = np.array([pay is not None for pay in super_bonus])[bases.classes]
    bonus_net = np.where(has_row, paid * bases.dealer_hands, unpaid * scale)
    play_value = scale * (best_play * bases.play_net + bases.ante_net) + bonus_net
    return np.where(play_value > -2 * scale * bases.dealer_hands, best_play, FOLD).astype(np.int8)


def _totals(bases: Bases, stakes: Int8Array) -> dict[int, ClassTotals]:
    """Count deals per stake, pay class and outcome; at most 4e12, well within 64 bits."""
    nothing: tuple[int, ...] = (0,) * OUTCOMES
    tables = {stake: [nothing] * PAY_CLASSES for stake in STAKES}
    ends = [*bases.class_starts[1:], len(stakes)]
    for column, (start, end) in enumerate(zip(bases.class_starts, ends, strict=True)):
        pay_class, chosen = bases.present[column], stakes[start:end]
        if chosen.min() == chosen.max():
            # Most classes are played uniformly, and their sums are known.
            tables[int(chosen[0])][pay_class] = tuple(bases.class_totals[:, column].tolist())
            continue
        for stake in STAKES:
            sums = bases.weighted[:, start:end] @ (chosen == stake).astype(np.int64)
            tables[stake][pay_class] = tuple(sums.tolist())
    return {stake: tuple(table) for stake, table in tables.items()}


def settle(
    *, stake: int, outcome: int, super_bonus_pay: Fraction | None, unqualified: Unqualified
) -> Fraction:
    """Return the player's net result in Antes [C4.overview.versus-dealer, C4.overview.super-bonus].

    The Super Bonus pay is None where no row pays the hand.
    """
    if stake == FOLD:
        return Fraction(-2)
    if outcome in (UNQUALIFIED_WIN, UNQUALIFIED_TIE, UNQUALIFIED_LOSS):
        ante_and_play = stake
    else:
        ante_and_play = {WIN: 1 + stake, TIE: 0, LOSS: -1 - stake}[outcome]
    if super_bonus_pay is not None:
        return ante_and_play + super_bonus_pay
    lost = outcome == LOSS or (outcome == UNQUALIFIED_LOSS and unqualified == "compare")
    return Fraction(ante_and_play - lost)


def outcomes_of(totals: Mapping[int, ClassTotals]) -> Iterator[tuple[int, int, int, int]]:
    """Yield stake, pay class, outcome, and the number of deals with them."""
    for stake, table in totals.items():
        for pay_class, row in enumerate(table):
            for outcome, deals in enumerate(row):
                if deals:
                    yield stake, pay_class, outcome, deals


def solve(bases: Bases, super_bonus: ClassPays, *, unqualified: Unqualified = "compare") -> CrazyFourSolution:
    """Solve the game for Super Bonus pays per pay class, None where the table has no row."""
    stakes = _decide(bases, super_bonus, unqualified)
    totals = _totals(bases, stakes)
    deals = int(bases.multiplicity.sum()) * bases.dealer_hands
    distribution: dict[Fraction, int] = {}
    staked = folded = raised = paid = won = 0
    for stake, pay_class, outcome, count in outcomes_of(totals):
        pay = super_bonus[pay_class]
        net = settle(stake=stake, outcome=outcome, super_bonus_pay=pay, unqualified=unqualified)
        distribution[net] = distribution.get(net, 0) + count
        staked += (2 + stake) * count
        won += count if stake != FOLD and outcome in PLAY_WINS else 0
        folded += count if stake == FOLD else 0
        raised += count if stake == BIGGEST_PLAY else 0
        paid += count if pay is not None and pay > 0 and stake != FOLD else 0
    mean = sum((net * count for net, count in distribution.items()), Fraction(0)) / deals
    square = sum((net * net * count for net, count in distribution.items()), Fraction(0)) / deals
    return CrazyFourSolution(
        stakes=stakes,
        totals=totals,
        deals=deals,
        house_edge=-mean,
        element_of_risk=-mean * deals / staked,
        fold_frequency=Fraction(folded, deals),
        raise_frequency=Fraction(raised, deals),
        win_frequency=Fraction(won, deals),
        super_bonus_hit_frequency=Fraction(paid, deals),
        variance=square - mean * mean,
        distribution=dict(sorted(distribution.items())),
    )


def bad_beat_rows(counts: Crazy4Counts, stakes: Int8Array) -> dict[FourCardCategory, int]:
    """Count showdowns by the category of the beaten hand, on either side."""
    # A hand below two pair neither beats two pair nor counts as a beaten hand.
    high = slice(int(np.searchsorted(counts.values, FourCardCategory.TWO_PAIR << CATEGORY_SHIFT)), None)
    showdowns = counts.multiplicity[high].astype(np.int64) * (stakes[high] != FOLD)
    categories = counts.values[high] >> CATEGORY_SHIFT
    losses = counts.outcomes[UNQUALIFIED_LOSS, high].astype(np.int64) + counts.outcomes[LOSS, high]
    rows = {}
    for row, category in enumerate(BAD_BEAT_CATEGORIES):
        dealer_beaten = int((counts.dealer_beaten[row, high] * showdowns).sum())
        player_beaten = int((losses * showdowns)[categories == category].sum())
        rows[category] = dealer_beaten + player_beaten
    return rows


@cache
def cached_bases() -> Bases:
    """Prepare the cached counts."""
    return prepare(cached_counts())


@cache
def solution(super_bonus: str = FIRST_TABLE, unqualified: Unqualified = "compare") -> CrazyFourSolution:
    """Solve the game with a published Super Bonus paytable."""
    pays = pays_by_class(registry.paytable("crazy_4", "super_bonus", super_bonus))
    return solve(cached_bases(), pays, unqualified=unqualified)


@cache
def bad_beat_atoms() -> Atoms:
    """Count deals by the beaten hand, where optimal play reaches a showdown."""
    solved = solution()
    atoms: Counter[Names] = Counter()
    for category, deals in bad_beat_rows(cached_counts(), solved.stakes).items():
        atoms[names_of(Hand(category, (2, 2, 2, 2)), ROWS)] += deals
    atoms[frozenset()] += solved.deals - sum(atoms.values())
    return atoms
