"""The law of one meter: the distribution of its jackpot, of the wait for it, and of what the reserve holds.

A *trial* is one wager: it feeds meter and reserve, then its cards take a share of the meter or none. Means
and variances are fractions. Probabilities are closed forms in powers of 1 - p, evaluated to forty digits.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil, gcd, lcm, log1p

import numpy as np

#: Digits that powers are evaluated with, and the error that is left in a probability afterwards.
DIGITS = 60
ERROR = Fraction(1, 10**30)


@dataclass(frozen=True)
class MeterLaw:
    """What happens to one meter, trial by trial; amounts are in dollars."""

    seed: Fraction
    #: What a trial adds to the meter, and to its reserve.
    growth: Fraction
    reserved: Fraction
    #: Each part of the meter that a trial may take, with its chance; the whole meter is the part 1.
    shares: tuple[tuple[Fraction, Fraction], ...]
    cap: Fraction | None = None

    @cached_property
    def whole(self) -> Fraction:
        """How often the meter is taken whole."""
        return dict(self.shares).get(Fraction(1), Fraction(0))

    @cached_property
    def mean_share(self) -> Fraction:
        """What part of the meter a trial takes on average."""
        return sum((share * chance for share, chance in self.shares), Fraction(0))

    @property
    def is_plain(self) -> bool:
        """Whether only the whole meter is ever paid and no cap stops it: then its law is a closed form."""
        return self.cap is None and set(dict(self.shares)) == {Fraction(1)}

    @cached_property
    def mean(self) -> Fraction:
        """The mean meter at a hit, if no cap stops it: all that goes in comes out again."""
        return (self.growth + self.reserved + self.seed * self.whole) / self.mean_share

    @cached_property
    def mean_square(self) -> Fraction:
        """The mean of its square. A share knows nothing of the meter, and a restart nothing of what was left:

        M' = growth + (1 - F) M + [F = 1] (seed + R), with R the reserve, a multiple of a geometric number.
        """
        chance = self.whole
        reserve = self.reserved / chance
        reserve_square = self.reserved**2 * (2 - chance) / chance**2
        restart_square = self.seed**2 + 2 * self.seed * reserve + reserve_square
        keeps_square = 1 - sum((c * (2 * f - f * f) for f, c in self.shares), Fraction(0))
        total = self.growth**2 + chance * restart_square
        total += 2 * self.growth * ((1 - self.mean_share) * self.mean + chance * (self.seed + reserve))
        return total / (1 - keeps_square)

    @property
    def variance(self) -> Fraction:
        """The variance of the meter at a hit, if no cap stops it."""
        return self.mean_square - self.mean**2

    @property
    def long_run_mean(self) -> Fraction | None:
        """The mean jackpot in the long run, unknown where a cap meets smaller shares.

        What a cap stops comes back by the reserve, so that the mean stays; unless more comes in than a hit
        can take, for then the meter waits at its cap.
        """
        if self.cap is None:
            return self.mean
        return min(self.mean, self.cap) if set(dict(self.shares)) == {Fraction(1)} else None

    # The wait.

    def hit_within(self, trials: int) -> Fraction:
        """How likely the whole meter is taken within so many trials."""
        return 1 - power(1 - self.whole, trials)

    def trials_until(self, chance: Fraction) -> int:
        """The fewest trials within which the whole meter is taken with at least this chance."""
        guess = ceil(log1p(-float(chance)) / log1p(-float(self.whole)))
        return _least(lambda trials: self.hit_within(trials) >= chance, guess)

    # The reserve at a hit: it was emptied at the hit before.

    @cached_property
    def _covering(self) -> int:
        """How many trials fill the reserve up to the seed."""
        return -(-self.seed // self.reserved)

    def dry_risk(self) -> Fraction:
        """How likely the reserve holds less than the seed when the whole meter is taken; no cap in force."""
        if not self.seed:
            return Fraction(0)
        return Fraction(1) if not self.reserved else self.hit_within(self._covering - 1)

    def mean_shortfall(self) -> Fraction:
        """What the reserve lacks of the seed at a hit, on average; no cap in force."""
        if not self.seed or not self.reserved:
            return self.seed
        # The mean of min(N, k) is (1 - q^k) / p.
        return self.seed - self._mean_cover()

    def _mean_cover(self) -> Fraction:
        last = self._covering - 1
        filled = self.reserved * (1 - power(1 - self.whole, last)) / self.whole
        return filled + (self.seed - self.reserved * last) * power(1 - self.whole, last)

    # The jackpot: seed + reserved x N' + growth x N, two geometric numbers.

    def below(self, amount: Fraction) -> Fraction:
        """How likely the jackpot of a plain meter is at most this amount."""
        assert self.is_plain, "only a plain meter has a closed form"
        left = amount - self.seed
        steps = [step for step in (self.growth, self.reserved) if step]
        if not steps:
            return Fraction(1 if left >= 0 else 0)
        if len(steps) == 1:
            return Fraction(0) if left < 0 else self.hit_within(int(left // steps[0]))
        unit, small, large = _lattice(*steps)
        return _two_geometric(1 - self.whole, small, large, int(left // unit))

    def quantile(self, chance: Fraction) -> Fraction:
        """The least jackpot of a plain meter that is not exceeded with at least this chance."""
        assert self.is_plain, "only a plain meter has a closed form"
        steps = [step for step in (self.growth, self.reserved) if step]
        if not steps:
            return self.seed
        if len(steps) == 1:
            return self.seed + steps[0] * self.trials_until(chance)
        unit, small, large = _lattice(*steps)
        quick = _quick_law(float(self.whole), small, large)
        low, high = 0, 2 * self.trials_until((1 + chance) / 2) * (small + large)
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if quick(middle) >= float(chance) else (middle + 1, high)
        return self.seed + unit * low


@lru_cache(maxsize=4096)
def power(base: Fraction, exponent: int) -> Fraction:
    """A power of a probability to forty digits and more; the whole fraction would fill a book."""
    if exponent <= 8:
        return base**exponent
    with localcontext() as context:
        context.prec = DIGITS
        found = (Decimal(base.numerator) / Decimal(base.denominator)) ** exponent
        return Fraction(0) if found.adjusted() < -DIGITS else Fraction(found)


def root(value: Fraction) -> Fraction:
    """A square root to as many digits."""
    with localcontext() as context:
        context.prec = DIGITS
        return Fraction((Decimal(value.numerator) / Decimal(value.denominator)).sqrt())


def _least(holds: Callable[[int], bool], guess: int) -> int:
    """The least number that holds, found from a guess by floating point."""
    while holds(guess - 1):
        guess -= 1
    while not holds(guess):
        guess += 1
    return guess


def _lattice(one: Fraction, other: Fraction) -> tuple[Fraction, int, int]:
    """Both steps as multiples of one unit, the smaller first."""
    bottom = lcm(one.denominator, other.denominator)
    first, second = int(one * bottom), int(other * bottom)
    common = gcd(first, second)
    return Fraction(common, bottom), min(first, second) // common, max(first, second) // common


def _two_geometric(q: Fraction, small: int, large: int, most: int) -> Fraction:
    """How likely small x N + large x N' is at most a number, N and N' geometric from 1 on.

    With N' = small x a + r the exponent n' + floor((most - large n') / small) falls by large - small as a
    grows by one, so that each residue r is one geometric series.
    """
    last = (most - small) // large if most >= small else 0
    if last < 1:
        return Fraction(0)
    step, total = large - small, Fraction(0)
    for residue in range(1, min(small, last) + 1):
        turns = (last - residue) // small
        lowest = residue + (most - large * residue) // small - turns * step
        total += power(q, lowest) * _series(q, step, turns + 1)
    return 1 - power(q, last) - (1 - q) / q * total


def _series(q: Fraction, step: int, terms: int) -> Fraction:
    """1 + q^step + q^(2 step) + ..., so many terms."""
    if not step:
        return Fraction(terms)
    return (1 - power(q, step * terms)) / (1 - power(q, step))


def _quick_law(p: float, small: int, large: int) -> Callable[[int], float]:
    """The same law in floating point, all residues at once, to look for a quantile with."""
    log_q = log1p(-p)
    step = large - small

    def at_most(most: int) -> float:
        last = (most - small) // large if most >= small else 0
        if last < 1:
            return 0.0
        residues = np.arange(1, min(small, last) + 1, dtype=np.int64)
        turns = (last - residues) // small
        lowest = residues + (most - large * residues) // small - turns * step
        sums = (
            np.expm1(step * (turns + 1) * log_q) / np.expm1(step * log_q)
            if step
            else (turns + 1).astype(np.float64)
        )
        total = float(np.sum(np.exp(lowest * log_q) * sums))
        return float(-np.expm1(last * log_q)) - p / (1 - p) * total

    return at_most
