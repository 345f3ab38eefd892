"""Meter maths: what contribution, seed and shares make of a jackpot in the long run.

Every wager adds its contribution, every share takes its part, and a whole share restarts the meter at its
seed. Shares come up without regard to how high the meter stands, so on average they meet it alike: what goes
in between two hits, seed + contribution x wagers, comes out again by all shares of the same mean meter.
"""

from fractions import Fraction

from feltwork.odds.pricing import Price


def hold(price: Price, *, contribution: Fraction, seeds: dict[str, Fraction]) -> Fraction:
    """What the house keeps of a unit: contributions go back in time, a seed each time its meter restarts."""
    cost = sum((seed * price.whole_share_probability(level) for level, seed in seeds.items()), Fraction(0))
    return 1 - price.fixed_return - contribution - cost


def contribution_for(price: Price, *, hold: Fraction, seeds: dict[str, Fraction]) -> Fraction:
    """The contribution behind a stated hold."""
    cost = sum((seed * price.whole_share_probability(level) for level, seed in seeds.items()), Fraction(0))
    return 1 - price.fixed_return - hold - cost


def mean_meter(price: Price, *, level: str, contribution: Fraction, seed: Fraction) -> Fraction:
    """The mean meter when it is hit, growth per unit of wager being the contribution to this level."""
    return (seed * price.whole_share_probability(level) + contribution) / price.mean_share(level)
