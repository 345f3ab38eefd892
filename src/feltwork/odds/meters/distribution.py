"""The probability law of one meter: its jackpot, the wait for a hit, and the reserve at a hit.

A *trial* is one wager: it feeds meter and reserve, then pays a share of the meter or nothing. Means and
variances are fractions; probabilities are closed forms in powers of 1 - p, evaluated to forty digits.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil, floor, gcd, lcm, log1p

#: The precision of powers, and the error left in a probability.
DIGITS = 60
ERROR = Fraction(1, 10**30)


@dataclass(frozen=True)
class MeterLaw:
    """The growth and payouts of one meter per trial, in dollars."""

    seed: Fraction
    #: The contribution of a trial to the meter, and to its reserve.
    growth: Fraction
    reserved: Fraction
    #: Each share of the meter that a trial can pay, with its probability; the full meter is share 1.
    shares: tuple[tuple[Fraction, Fraction], ...]
    cap: Fraction | None = None
    #: Each fixed pay that comes off the meter, with its probability per trial.
    fixed: tuple[tuple[Fraction, Fraction], ...] = ()

    @cached_property
    def whole(self) -> Fraction:
        """The probability that a trial pays the full meter."""
        return dict(self.shares).get(Fraction(1), Fraction(0))

    @cached_property
    def mean_share(self) -> Fraction:
        """The mean share that a trial pays."""
        return sum((share * chance for share, chance in self.shares), Fraction(0))

    @property
    def is_plain(self) -> bool:
        """Whether only the full meter is paid and there is no cap, so the law has a closed form."""
        return self.cap is None and self.pays_only_whole

    @property
    def pays_only_whole(self) -> bool:
        """Whether only the full meter is ever paid from it."""
        return not self.fixed and set(dict(self.shares)) == {Fraction(1)}

    @cached_property
    def mean(self) -> Fraction:
        """The mean meter at a hit without a cap, if fixed pays never empty it: inflow equals payout."""
        fixed = sum((amount * chance for amount, chance in self.fixed), Fraction(0))
        fed = self.growth + self.reserved + self.seed * self.whole - fixed
        return max(fed, Fraction(0)) / self.mean_share

    @cached_property
    def mean_square(self) -> Fraction:
        """The mean square. Shares are independent of the meter, and a restart of the previous balance:

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
        """The variance of the meter at a hit without a cap."""
        return self.mean_square - self.mean**2

    @property
    def long_run_mean(self) -> Fraction | None:
        """The long-run mean jackpot; None with fixed pays, or where a cap is combined with smaller shares.

        Growth above the cap returns through the reserve and preserves the mean, unless more comes in than a
        hit can pay; then the meter stays at its cap.
        """
        if self.cap is None:
            return None if self.fixed else self.mean
        return min(self.mean, self.cap) if self.pays_only_whole else None

    # The waiting time.

    def hit_within(self, trials: int) -> Fraction:
        """Return the probability of a full payout within a number of trials."""
        return 1 - power(1 - self.whole, trials)

    def trials_until(self, chance: Fraction) -> int:
        """Return the fewest trials that give at least this probability of a full payout."""
        guess = ceil(log1p(-float(chance)) / log1p(-float(self.whole)))
        return _least(lambda trials: self.hit_within(trials) >= chance, guess)

    # The reserve at a hit; the previous hit emptied it.

    @cached_property
    def _covering(self) -> int:
        """The number of trials that fill the reserve up to the seed."""
        return -(-self.seed // self.reserved)

    def shortfall_risk(self) -> Fraction:
        """Return the probability that the reserve is below the seed at a hit, without a cap."""
        if not self.seed:
            return Fraction(0)
        return Fraction(1) if not self.reserved else self.hit_within(self._covering - 1)

    def mean_shortfall(self) -> Fraction:
        """Return the mean seed shortfall at a hit, without a cap."""
        if not self.seed or not self.reserved:
            return self.seed
        # The mean of min(N, k) is (1 - q^k) / p.
        return self.seed - self._mean_cover()

    def _mean_cover(self) -> Fraction:
        last = self._covering - 1
        filled = self.reserved * (1 - power(1 - self.whole, last)) / self.whole
        return filled + (self.seed - self.reserved * last) * power(1 - self.whole, last)

    # The jackpot: seed + reserved x N' + growth x N, two geometric numbers.

    def above(self, amount: Fraction) -> Fraction:
        """Return the probability that a plain meter pays more than an amount."""
        assert self.is_plain, "only a plain meter has a closed form"
        steps = [step for step in (self.growth, self.reserved) if step]
        if not steps or amount < self.seed:
            return Fraction(self.seed > amount)
        if len(steps) == 1:
            return 1 - self.hit_within(floor((amount - self.seed) / steps[0]))
        unit, small, large = lattice(*steps)
        most = floor((amount - self.seed) / unit)
        return 1 - Fraction(_quick_law(float(self.whole), small, large)(most))

    def quantile(self, chance: Fraction) -> Fraction:
        """Return a quantile of the jackpot of a plain meter."""
        assert self.is_plain, "only a plain meter has a closed form"
        steps = [step for step in (self.growth, self.reserved) if step]
        if not steps:
            return self.seed
        if len(steps) == 1:
            return self.seed + steps[0] * self.trials_until(chance)
        unit, small, large = lattice(*steps)
        quick = _quick_law(float(self.whole), small, large)
        low, high = 0, 2 * self.trials_until((1 + chance) / 2) * (small + large)
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if quick(middle) >= float(chance) else (middle + 1, high)
        return self.seed + unit * low


@lru_cache(maxsize=4096)
def power(base: Fraction, exponent: int) -> Fraction:
    """Raise a probability to a power, to at least forty digits."""
    if exponent <= 8:
        return base**exponent
    with localcontext() as context:
        context.prec = DIGITS
        result = (Decimal(base.numerator) / Decimal(base.denominator)) ** exponent
        return Fraction(0) if result.adjusted() < -DIGITS else Fraction(result)


def root(value: Fraction) -> Fraction:
    """Compute a square root to the same precision."""
    with localcontext() as context:
        context.prec = DIGITS
        return Fraction((Decimal(value.numerator) / Decimal(value.denominator)).sqrt())


def _least(holds: Callable[[int], bool], guess: int) -> int:
    """Find the least number that satisfies a condition, starting from a guess."""
    while holds(guess - 1):
        guess -= 1
    while not holds(guess):
        guess += 1
    return guess


def lattice(first: Fraction, second: Fraction) -> tuple[Fraction, int, int]:
    """Write both steps as multiples of a common unit, the smaller first."""
    bottom = lcm(first.denominator, second.denominator)
    small, large = sorted((int(first * bottom), int(second * bottom)))
    common = gcd(small, large)
    return Fraction(common, bottom), small // common, large // common


def _quick_law(p: float, small: int, large: int) -> Callable[[int], float]:
    """Return the distribution of small x N + large x N', two geometric numbers, in floating point."""
    import numpy as np

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
