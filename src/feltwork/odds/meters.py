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


def wagers_to_hit(price: Price, level: str) -> Fraction:
    """How many wagers pass on average until a meter is taken whole."""
    return 1 / price.whole_share_probability(level)


def hours_to_hit(
    price: Price, level: str, *, tables: int, rounds_per_hour: Fraction, wagers_per_round: Fraction
) -> Fraction:
    """How long a floor of that size waits on average for a whole share."""
    return wagers_to_hit(price, level) / (tables * rounds_per_hour * wagers_per_round)


def divided_share(price: Price, *, level: str, bettors: int) -> Fraction:
    """What part of a meter an average round brings one of several bettors who divide every share."""
    return price.mean_share(level) / bettors
