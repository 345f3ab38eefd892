"""The volatility of a bet: the spread of its return over many rounds.

The variance is that of the net result of one round, per unit of the first wager. The volatility index is
1.645 standard deviations of one round: the half width of the 90% interval of a normal distribution. The bands
do not assume that distribution. The law of the sum of n rounds is the n-th power of the characteristic
function of one round, and a Fourier transform turns it back into probabilities.
"""

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, gcd, lcm, pi
from typing import TYPE_CHECKING, Literal, TypeAlias

from feltwork.odds.distribution import Distribution
from feltwork.odds.figures.figure import decimal
from feltwork.odds.lazy_numpy import np
from feltwork.odds.meters.distribution import MeterLaw, root
from feltwork.odds.pricing import RowReturn
from feltwork.odds.title_odds import NET_RESULT

if TYPE_CHECKING:
    import numpy.typing as npt

Waves: TypeAlias = "npt.NDArray[np.float64]"

#: Standard deviations on either side of the mean that hold 90% of a normal distribution.
Z = Fraction(1_645, 1_000)
ROUNDS = tuple(10**zeros for zeros in range(3, 8))
_LOW, _HIGH = 0.05, 0.95
#: The chance, in natural logarithms, that a sum leaves the window of the transform on one side.
_OUTSIDE = 16.0
#: Points of the transform: on the lattice of the pays, and on a coarser grid where that would be too long.
_ON_LATTICE, _ON_GRID = 1 << 20, (1 << 18, 1 << 20, 1 << 22)
#: What is left of the characteristic function where it counts as gone.
_GONE = 1e-9
#: The error of a probability: what leaves the window, and rounding.
_SURE = 1e-6
#: How often rare pays may occur in a sum at most, all together, to be left out of the band.
_RARE = 0.02
#: The number of quantiles that stand for a sampled meter.
_SAMPLED = 4_096


@dataclass(frozen=True, slots=True)
class Band:
    """The 90% interval of a return over a number of rounds, each end with this error."""

    rounds: int
    low: Fraction
    high: Fraction
    error: Fraction
    how: Literal["numeric", "sampled"] = "numeric"

    def as_json(self) -> dict[str, str]:
        """Return the band for programs."""
        low, high = decimal(self.low, 6), decimal(self.high, 6)
        within = decimal(self.error, 2)
        return {"rounds": str(self.rounds), "low": low, "high": high, "how": self.how, "within": within}


@dataclass(frozen=True, slots=True)
class MeterPay:
    """What one round pays from a meter: parts of it, each with its probability."""

    law: MeterLaw
    wager: Fraction
    parts: tuple[tuple[Fraction, Fraction], ...]


@dataclass(frozen=True)
class RoundLaw:
    """The return of one round in units of the first wager: fixed pays, and pays from meters."""

    pays: tuple[tuple[Fraction, Fraction], ...]
    meters: tuple[MeterPay, ...] = ()


def law_of_lines(lines: Iterable[RowReturn]) -> RoundLaw:
    """Return the law of the rows of a bet, or of the net results of a game."""
    pays = [
        (line.returns / line.probability + (line.hand == NET_RESULT), line.probability)
        for line in lines
        if line.returns is not None and line.probability
    ]
    nothing = 1 - sum((chance for _, chance in pays), Fraction(0))
    return RoundLaw(tuple(Distribution.of([*pays, (Fraction(0), nothing)]).pmf.items()))


def volatility_index(variance: Fraction) -> Fraction:
    """Return 1.645 standard deviations of one round."""
    return Z * root(variance)


@lru_cache(maxsize=64)
def bands(law: RoundLaw) -> tuple[Band, ...]:
    """Return the 90% intervals of the return for a thousand to ten million independent rounds."""
    return tuple(_Sums(law).band(rounds) for rounds in ROUNDS)


class _Sums:
    """The law of one round in double precision, and the laws of sums of rounds."""

    def __init__(self, law: RoundLaw) -> None:
        self.values = np.array([float(value) for value, _ in law.pays])
        self.chances = np.array([float(chance) for _, chance in law.pays])
        self.unit = _lattice([value for value, _ in law.pays])
        #: Closed forms: first pay, growth and reserve per trial, chance that a trial hits, chance of the pay.
        self.closed: list[tuple[float, float, float, float, float]] = []
        self.sampled: list[tuple[npt.NDArray[np.float64], float]] = []
        #: The error of the mean of one round, from sampled meters.
        self.within = 0.0
        for meter in law.meters:
            for part, chance in meter.parts:
                self._add(meter.law, float(part / meter.wager), float(chance))

    def _add(self, law: MeterLaw, per_dollar: float, chance: float) -> None:
        if law.is_plain:
            seed, growth, reserved = (
                float(amount) * per_dollar for amount in (law.seed, law.growth, law.reserved)
            )
            self.closed.append((seed, growth, reserved, float(law.whole), chance))
            return
        from feltwork.odds.meters.sampling import sample

        drawn = sample(law)
        self.within += chance * per_dollar * drawn.mean().within
        self.sampled.append(
            (np.quantile(drawn.meters, (np.arange(_SAMPLED) + 0.5) / _SAMPLED) * per_dollar, chance)
        )

    def band(self, rounds: int) -> Band:
        """Return the band of the mean of a number of rounds."""
        common, least = self._without_rare(rounds)
        band = common._band(rounds)
        return band if float(band.high) * rounds < least else self._band(rounds)

    def _without_rare(self, rounds: int) -> "tuple[_Sums, float]":
        """Drop large pays that so few sums contain that they lie above the band; return the least of them.

        What is lost of the probability lies above the least dropped pay, so the quantiles below are the same.
        """
        common, least, lost = copy(self), float("inf"), 0.0
        if float(self.values.min()) < 0:
            return common, least
        parts = [
            (value, chance, "values", place)
            for place, (value, chance) in enumerate(
                zip(self.values.tolist(), self.chances.tolist(), strict=True)
            )
        ]
        parts += [(sum(pay[:3]), pay[4], "closed", place) for place, pay in enumerate(self.closed)]
        parts += [
            (float(values[0]), chance, "sampled", place)
            for place, (values, chance) in enumerate(self.sampled)
        ]
        dropped: dict[str, set[int]] = {"values": set(), "closed": set(), "sampled": set()}
        for value, chance, kind, place in sorted(parts, reverse=True):
            lost += rounds * chance
            if lost > _RARE:
                break
            dropped[kind].add(place)
            least = value
        kept = [place for place in range(len(self.values)) if place not in dropped["values"]]
        common.values, common.chances = self.values[kept], self.chances[kept]
        common.closed = [pay for place, pay in enumerate(self.closed) if place not in dropped["closed"]]
        common.sampled = [pay for place, pay in enumerate(self.sampled) if place not in dropped["sampled"]]
        if not common.sampled:
            common.within = 0.0
        return common, least

    def _band(self, rounds: int) -> Band:
        start = floor(-self._bound(rounds, -1.0) / self.unit) * self.unit
        width = self._bound(rounds, 1.0) - start
        points, step = 1 << ceil(width / self.unit).bit_length(), self.unit
        if points > _ON_LATTICE:
            points = next(
                (size for size in _ON_GRID if self._is_gone(rounds, pi * size / (4 * width))), _ON_GRID[0]
            )
            step = width / points
        waves = 2 * pi / (points * step) * np.arange(points // 2 + 1, dtype=np.float64)
        transform = self._transform(waves, points, step) ** rounds * np.exp(-1j * waves * start)
        smooth = 0.0
        if step != self.unit and not self._is_gone(rounds, pi / (4 * step)):
            # The sum plus a normal error of 1.5 steps, which is as smooth as the grid requires.
            smooth = 1.5 * step
            transform *= np.exp(-((waves * smooth) ** 2) / 2)
        below = np.cumsum(np.fft.irfft(np.conj(transform), points))
        between = step != self.unit
        ends, moved = [], 0.0
        for chance in (_LOW, _HIGH):
            before, end, after = (
                start + step * _place(below, chance + shift, between=between)
                for shift in (-_SURE, 0.0, _SURE)
            )
            ends.append(end)
            moved = max(moved, after - end, end - before)
        error = moved + (self.unit + step / 8 + 4 * smooth if between else 0.0)
        return Band(
            rounds,
            Fraction(ends[0] / rounds),
            Fraction(ends[1] / rounds),
            Fraction(error / rounds + self.within),
            "sampled" if self.sampled else "numeric",
        )

    def _transform(self, waves: Waves, points: int, step: float) -> "npt.NDArray[np.complex128]":
        """Return the characteristic function of one round at the frequencies of a grid."""
        on_grid = np.zeros(points)
        if step == self.unit:
            np.add.at(on_grid, np.rint(self.values / step).astype(np.int64) % points, self.chances)
        for values, chance in self.sampled:
            places = np.floor(values / step).astype(np.int64)
            above = values / step - places
            np.add.at(on_grid, places % points, (1 - above) * chance / len(values))
            np.add.at(on_grid, (places + 1) % points, above * chance / len(values))
        total = np.conj(np.fft.rfft(on_grid)) if on_grid.any() else 0.0
        return np.asarray(total + self._direct(waves, with_pays=step != self.unit))

    def _direct(self, waves: Waves, *, with_pays: bool) -> "npt.NDArray[np.complex128]":
        total = np.zeros(len(waves), dtype=np.complex128)
        for value, chance in zip(self.values.tolist(), self.chances.tolist(), strict=True):
            if with_pays:
                total += chance * np.exp(1j * value * waves)
        for seed, growth, reserved, hit, chance in self.closed:
            pay = np.exp(1j * waves * (seed + growth + reserved))
            for rate in filter(None, (growth, reserved)):
                pay *= hit / (1 - (1 - hit) * np.exp(1j * waves * rate))
            total += chance * pay
        return total

    def _is_gone(self, rounds: int, wave: float) -> bool:
        """Whether the characteristic function of the sum vanishes above a frequency."""
        waves = np.geomspace(wave, max(pi / self.unit, 2 * wave), 2_048)
        most = np.abs(self._direct(waves, with_pays=True)).max() + sum(chance for _, chance in self.sampled)
        return bool(most**rounds < _GONE)

    def _bound(self, rounds: int, sign: float) -> float:
        """Return a bound (Chernoff's) that the sum, or minus the sum, passes almost never."""
        waits = [(seed + growth + reserved) / hit for seed, growth, reserved, hit, _ in self.closed]
        most = max(
            float(np.abs(self.values).max()),
            *waits,
            *(float(values.max()) for values, _ in self.sampled),
            1.0,
        )
        tilts = np.geomspace(1e-6 / most, 50 / self.unit, 1_000)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            grown = np.expm1(np.outer(sign * tilts, self.values)) @ self.chances
            for values, chance in self.sampled:
                grown += chance * np.expm1(np.outer(sign * tilts, values)).mean(axis=1)
            for seed, growth, reserved, hit, chance in self.closed:
                pay = np.exp(sign * tilts * (seed + growth + reserved))
                for rate in (growth, reserved):
                    left = 1 - (1 - hit) * np.exp(sign * tilts * rate)
                    pay *= np.where(left > 0, hit / left, np.inf)
                grown += chance * (pay - 1)
            bounds = (rounds * np.log1p(grown) + _OUTSIDE) / tilts
        return float(np.min(bounds[np.isfinite(bounds)]))


def _place(below: "npt.NDArray[np.float64]", chance: float, *, between: bool) -> float:
    """Find a quantile on a lattice, or between two points of a grid, which stand for the middle of a step."""
    place = int(np.searchsorted(below, chance))
    if not between or not place:
        return place
    before, after = float(below[place - 1]), float(below[place])
    return place - 0.5 + (chance - before) / (after - before)


def _lattice(pays: list[Fraction]) -> float:
    """Return the largest amount of which every pay is a multiple."""
    per = lcm(*(value.denominator for value in pays))
    return (gcd(*(int(value * per) for value in pays)) or per) / per
