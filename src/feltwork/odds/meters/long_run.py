"""Meter maths: what contribution, seed and shares make of a jackpot in the long run.

Every wager adds its contribution, every share takes its part, and a whole share restarts the meter at its
seed. Shares come up without regard to how high the meter stands, so on average they meet it alike: what goes
in between two hits, seed + contribution x wagers, comes out again by all shares of the same mean meter.
"""

from fractions import Fraction

from feltwork.odds.pricing import Price
from feltwork.problem import Problem, ProblemsError

HOLD = "1 - fixed return - contribution - each seed times the chance of its 100 % prize"


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


def hold_with(price: Price, contribution: str, seed: str) -> Fraction:
    """Return the hold for a contribution and one seed per meter, separated by commas."""
    levels = price.paytable.levels
    seeds = [Fraction(amount) for amount in seed.split(",")]
    if len(seeds) != len(levels):
        what = f"paytable {price.paytable.id} has {len(levels)} meters"
        raise ProblemsError([Problem("seed", what, "give one seed for each")])
    return hold(price, contribution=Fraction(contribution), seeds=dict(zip(levels, seeds, strict=True)))
