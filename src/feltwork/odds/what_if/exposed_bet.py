"""The value of a bet from one deck, given cards that were exposed before the wager.

The net pays of all deals without certain cards follow by inclusion-exclusion from their sums over the deals
that hold given cards. These sums are integers in units of the pays' common denominator.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb, lcm, sqrt

import numpy as np
import numpy.typing as npt

from feltwork.money import CENT, DOLLAR
from feltwork.odds.atoms import suit_classes
from feltwork.odds.count_cache import kept_arrays
from feltwork.odds.four_card.classes import Int64Array
from feltwork.odds.pricing import returned
from feltwork.odds.sheet import counted_bet
from feltwork.odds.title_odds import Cards, DrawnHand
from feltwork.odds.what_if.answer import ComputedFigure
from feltwork.odds.what_if.question import Question
from feltwork.problem import Problem, ProblemsError
from feltwork.titles.cards.card import DECK, Card
from feltwork.titles.paytables.paytable import Share

#: Most exposed cards for which every set is evaluated.
MOST_EXACT = 5
#: Limits for larger sets: sets drawn, and sums looked up for all of them together.
MOST_DRAWN, MOST_SUMS = 20_000, 40_000_000
#: Fewest favorable sets among those drawn that allow an estimate.
LEAST_FAVORABLE = 30
#: Half of a 99.9% interval in standard errors.
WIDTH = Fraction(3291, 1000)
_BINOMIALS = np.array([[comb(card, size) for size in range(7)] for card in range(53)], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class SetClasses:
    """The sets of a given size up to a renaming of suits, and the class of each set by its number."""

    sets: Int64Array
    ways: Int64Array
    class_of: Int64Array


@dataclass(frozen=True, slots=True)
class HandSums:
    """The sum of pays over the hands that hold each set of cards, up to a whole hand."""

    tables: tuple[Int64Array, ...]
    #: One unit of the bet in these sums, and the number of deals per set of cards.
    unit: int
    splits: int

    @property
    def size(self) -> int:
        """The number of cards that the bet looks at."""
        return len(self.tables) - 1

    def without(self, gone: Int64Array) -> Int64Array:
        """Return the sums over all hands without each set of cards, one set per row."""
        count = gone.shape[1]
        if comb(52 - count, self.size) < self.sums_of(count):
            held = np.ones((len(gone), 52), dtype=np.bool_)
            np.put_along_axis(held, gone, values=False, axis=1)
            left = np.nonzero(held)[1].reshape(len(gone), 52 - count)
            return self._over(left, self.size)
        total = np.full(len(gone), self.tables[0][0])
        for size in range(1, min(count, self.size) + 1):
            total += (-1) ** size * self._over(gone, size)
        return total

    def _over(self, cards: Int64Array, size: int) -> Int64Array:
        total = np.zeros(len(cards), dtype=np.int64)
        for places in combinations(range(cards.shape[1]), size):
            total += self.tables[size][_numbers(cards[:, places])]
        return total

    def sums_of(self, count: int) -> int:
        """Return the number of sums needed for the hands without this many cards."""
        return sum(comb(count, size) for size in range(self.size + 1))

    def deals(self, count: int) -> int:
        """Return one unit of the bet in the sum of all deals without this many cards."""
        return self.unit * self.splits * comb(52 - count, self.size)


def exposed_figures(question: Question) -> dict[str, ComputedFigure]:
    """Return the edge with these cards exposed, or the gain from seeing this many before each bet."""
    if not question.exposed:
        return {}
    sums = _sums(question)
    if not isinstance(question.exposed, int):
        gone = np.sort(np.array([[card.index for card in question.exposed]], dtype=np.int64))
        total, deals = int(sums.without(gone)[0]), sums.deals(gone.shape[1])
        return {"exposed_edge": ComputedFigure(Fraction(-total, deals), "of the wager")}
    if question.exposed <= MOST_EXACT:
        return _average(sums, question.exposed)
    return _estimate(sums, question.exposed) if question.sampled else {}


def _average(sums: HandSums, count: int) -> dict[str, ComputedFigure]:
    """Average over every set of exposed cards."""
    classes = set_classes(count)
    totals = sums.without(classes.sets)
    good = totals > 0
    won = sum(
        total * ways for total, ways in zip(totals[good].tolist(), classes.ways[good].tolist(), strict=True)
    )
    sets = comb(52, count)
    return _told(
        ComputedFigure(Fraction(int(classes.ways[good].sum()), sets), "of all rounds"),
        ComputedFigure(Fraction(won, sets * sums.deals(count)), "of the wager"),
    )


def _estimate(sums: HandSums, count: int) -> dict[str, ComputedFigure]:
    """Estimate from random sets of exposed cards, each valued exactly."""
    drawn = min(MOST_DRAWN, MOST_SUMS // min(sums.sums_of(count), comb(52 - count, sums.size)))
    dice = np.random.default_rng(1)
    gone = np.sort(np.argsort(dice.random((drawn, 52)), axis=1)[:, :count], axis=1)
    totals = sums.without(gone)
    good = totals > 0
    if good.sum() < LEAST_FAVORABLE:
        return {}
    won = np.where(good, totals, 0) / sums.deals(count)
    return _told(
        *(
            _drawn(values, unit)
            for values, unit in ((good.astype(np.float64), "of all rounds"), (won, "of the wager"))
        )
    )


def _drawn(values: npt.NDArray[np.float64], unit: str) -> ComputedFigure:
    error = WIDTH * Fraction(float(values.std()) / sqrt(len(values)))
    return ComputedFigure(Fraction(float(values.mean())), unit, "sampled", error)


def _told(favorable: ComputedFigure, won: ComputedFigure) -> dict[str, ComputedFigure]:
    return {"exposed_favorable": favorable, "exposed_gain": won}


def _sums(question: Question) -> HandSums:
    paytable = question.paytable
    drawn = counted_bet(paytable.title, paytable.bet).drawn
    assert drawn is not None, "a question about exposed cards is verified"
    names, kinds = _kinds(paytable.title, paytable.bet, drawn)
    net = [_net(question, called) for called in names]
    unit = lcm(*(amount.denominator for amount in net))
    largest = max(abs(amount) for amount in net) * unit * comb(52, sum(drawn.groups)) * kinds.shape[1]
    if largest >= 2**62:
        what = "the pays are too large, or their fractions too fine, to count with exposed cards"
        raise ProblemsError([Problem("exposed", what, "use whole dollars, or leave it out")])
    pays = np.array([int(amount * unit) for amount in net], dtype=np.int64)
    return HandSums(_tables(pays[kinds].sum(axis=1)), unit, kinds.shape[1])


def _net(question: Question, names: frozenset[str]) -> Fraction:
    """Return the net win of one unit; a meter pays its given amount, or its long-run mean to the cent."""
    row = question.paytable.row_for(names)
    if row is None:
        return Fraction(-1)
    if not isinstance(row.pays, Share):
        return returned(row) - 1
    level = row.pays.level
    from_meter = question.offer.options.get("fixed_pays_from") == "meter"
    if level not in question.meters and (from_meter or question.terms[level].cap is not None):
        what = "with a cap, or with fixed pays off the meter, its long-run mean has no closed form"
        raise ProblemsError([Problem("exposed", what, "give the current meter amount")])
    award = question.meters.get(level) or question.returns.mean_award[level]
    cents = round(award * (DOLLAR // CENT))
    return Fraction(row.pays.basis_points, 10_000) * Fraction(cents, DOLLAR // CENT) / question.wager - 1


def _tables(pays: Int64Array) -> tuple[Int64Array, ...]:
    """Add up the pays of hands by the cards they hold, from all cards down to none."""
    size = next(size for size in range(7) if len(set_classes(size).sets) == len(pays))
    tables = [pays[set_classes(size).class_of]]
    for fewer in range(size - 1, -1, -1):
        classes = set_classes(fewer)
        total = np.zeros(len(classes.sets), dtype=np.int64)
        for card in range(52):
            apart = (classes.sets != card).all(axis=1)
            more = np.column_stack([classes.sets[apart], np.full(apart.sum(), card)])
            total[apart] += tables[0][_numbers(np.sort(more, axis=1))]
        # Every hand was counted once for each of its cards outside the set.
        tables.insert(0, (total // (size - fewer))[classes.class_of])
    return tuple(tables)


@cache
def set_classes(size: int) -> SetClasses:
    """List the sets of this many cards of one deck."""
    classes = list(suit_classes(size))
    sets = np.array([sorted(card.index for card in cards) for cards, _ in classes], dtype=np.int64)
    sets = sets.reshape(len(classes), size)
    class_of = np.empty(comb(52, size), dtype=np.int64)
    for suits in permutations(range(4)):
        renamed = np.sort(sets & ~3 | np.array(suits)[sets & 3], axis=1)
        class_of[_numbers(renamed)] = np.arange(len(sets))
    return SetClasses(sets, np.array([ways for _, ways in classes], dtype=np.int64), class_of)


def _numbers(sets: Int64Array) -> Int64Array:
    """Number sorted sets of cards, from zero."""
    sizes = np.arange(1, sets.shape[1] + 1)
    return np.asarray(_BINOMIALS[sets, sizes].sum(axis=1))


@cache
def _kinds(title: str, bet: str, drawn: DrawnHand) -> tuple[tuple[frozenset[str], ...], Int64Array]:
    """Return the sets of row names, and the set for each way to deal each class of hands."""
    names = tuple(sorted(counted_bet(title, bet).atoms(), key=sorted))
    places = {called: place for place, called in enumerate(names)}

    def count() -> Mapping[str, Int64Array]:
        hands = set_classes(sum(drawn.groups)).sets.tolist()
        rows = [
            [
                places[drawn.names(sight)]
                for sight in _sights(tuple(DECK[card] for card in hand), drawn.groups)
            ]
            for hand in hands
        ]
        return {"kinds": np.array(rows, dtype=np.int64)}

    return names, kept_arrays(f"{title}-{bet}-hands", count, of=(__name__, *drawn.counted_by))["kinds"]


def _sights(cards: Cards, groups: tuple[int, ...]) -> Iterator[tuple[tuple[Card, ...], ...]]:
    """Yield every way to deal the cards in groups."""
    if not groups:
        yield ()
        return
    for group in combinations(cards, groups[0]):
        rest = tuple(card for card in cards if card not in group)
        for others in _sights(rest, groups[1:]):
            yield (group, *others)
