"""A discrete distribution in exact fractions: what a bet returns, or what a round wins."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from feltwork.odds.lazy_numpy import np
from feltwork.problem import Problem, ProblemsError

if TYPE_CHECKING:
    import numpy.typing as npt

#: The most values of a sum; longer sums have bands, which are computed by a Fourier transform.
_MOST = 200_000


@dataclass(frozen=True, eq=True)
class Distribution:
    """Values with their probabilities, lowest value first."""

    #: The probability of each value.
    pmf: Mapping[Fraction, Fraction]

    @classmethod
    def of(cls, values: Iterable[tuple[Fraction, Fraction]]) -> "Distribution":
        """Add up the probabilities of equal values."""
        chances: dict[Fraction, Fraction] = {}
        for value, chance in values:
            if chance:
                chances[value] = chances.get(value, Fraction(0)) + chance
        return cls(dict(sorted(chances.items())))

    def __repr__(self) -> str:
        return f"<Distribution of {len(self.pmf)} values, mean {float(self.mean):.6g}>"

    @cached_property
    def mean(self) -> Fraction:
        """The mean value."""
        return sum((value * chance for value, chance in self.pmf.items()), Fraction(0))

    @cached_property
    def var(self) -> Fraction:
        """The variance."""
        squares = sum((value * value * chance for value, chance in self.pmf.items()), Fraction(0))
        return squares - self.mean**2

    @cached_property
    def _below(self) -> list[Fraction]:
        return list(accumulate(self.pmf.values()))

    def cdf(self, value: Fraction | int) -> Fraction:
        """Return the probability of a value or less."""
        return sum((chance for other, chance in self.pmf.items() if other <= value), Fraction(0))

    def quantile(self, chance: Fraction | float) -> Fraction:
        """Return the least value that is not passed with this probability."""
        place = bisect_left(self._below, chance)
        return list(self.pmf)[min(place, len(self.pmf) - 1)]

    def plus(self, other: "Distribution") -> "Distribution":
        """Return the distribution of the sum with an independent value."""
        if len(self.pmf) * len(other.pmf) > _MOST:
            what = "a sum of these has too many values for exact fractions"
            raise ProblemsError([Problem("distribution", what, "ask what_if for the band of the hold")])
        return Distribution.of(
            (first + second, chance * also)
            for first, chance in self.pmf.items()
            for second, also in other.pmf.items()
        )

    def power(self, rounds: int) -> "Distribution":
        """Return the distribution of the sum of independent rounds."""
        total, square = Distribution({Fraction(0): Fraction(1)}), self
        while rounds:
            total = total.plus(square) if rounds & 1 else total
            rounds >>= 1
            square = square.plus(square) if rounds else square
        return total

    def rvs(self, size: int, *, seed: int = 1) -> "npt.NDArray[np.float64]":
        """Draw random values."""
        values, chances = (
            np.array([float(number) for number in side]) for side in (self.pmf, self.pmf.values())
        )
        return np.random.default_rng(seed).choice(values, size, p=chances / chances.sum())

    def _repr_html_(self) -> str:
        rows = [[str(value), f"{float(chance):.6g}"] for value, chance in self.pmf.items()]
        return html_table(("value", "probability"), rows)


def html_table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Write a table for a notebook."""
    from html import escape

    lines = [f"<tr>{''.join(f'<th>{escape(head)}</th>' for head in heads)}</tr>"]
    lines += [f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows]
    return f"<table>{''.join(lines)}</table>"
