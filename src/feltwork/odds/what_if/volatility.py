"""Volatility: how far the result of many rounds may deviate from the expected result.

The variance is that of the net result of one round, per unit of the first wager. The volatility index is the
half width of the 90% interval for one round, 1.645 standard deviations; over n rounds the return lies
within the index divided by the square root of n, as far as the normal distribution describes the sum.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from feltwork.odds.meters.distribution import root

#: Standard deviations on either side of the mean that hold 90% of a normal distribution.
Z = Fraction(1_645, 1_000)
ROUNDS = tuple(10**zeros for zeros in range(3, 8))


@dataclass(frozen=True, slots=True)
class Band:
    """The 90% interval of the return over a number of rounds."""

    rounds: int
    low: Fraction
    high: Fraction


def volatility_index(variance: Fraction) -> Fraction:
    """Return 1.645 standard deviations of one round."""
    return Z * root(variance)


def bands(returns: Fraction, variance: Fraction) -> Iterator[Band]:
    """Yield the band of the return for a thousand to ten million rounds."""
    for rounds in ROUNDS:
        within = Z * root(variance / rounds)
        # A return is never negative.
        yield Band(rounds, max(returns - within, Fraction(0)), returns + within)
