"""The long-run hold and mean meter of a jackpot.

Shares hit independently of the meter, so on average they all pay from the same mean meter: the inflow between
two hits, seed + contribution x wagers, equals the payout of the shares.
"""

from fractions import Fraction

from feltwork.odds.pricing import Price
from feltwork.problem import Problem, ProblemsError

HOLD = "1 - fixed return - contribution - each seed times the chance of its 100% prize"


def hold(price: Price, *, contribution: Fraction, seeds: dict[str, Fraction]) -> Fraction:
    """Return the hold per unit wagered by a bettor alone at the table."""
    from feltwork.odds.returns import Offer, Terms, returns

    terms = {
        level: Terms(seed=seed, contribution=Fraction(0) if place else contribution)
        for place, (level, seed) in enumerate(seeds.items())
    }
    offered = Offer(jackpot=None, paytable=price.paytable, prices={"": price}, wager=Fraction(1), terms=terms)
    return returns(offered).kept


def contribution_for(price: Price, *, hold: Fraction, seeds: dict[str, Fraction]) -> Fraction:
    """Return the contribution that yields a given hold."""
    cost = sum((seed * price.whole_share_probability(level) for level, seed in seeds.items()), Fraction(0))
    return 1 - price.fixed_return - hold - cost


def mean_meter(price: Price, *, level: str, contribution: Fraction, seed: Fraction) -> Fraction:
    """Return the mean meter at a hit."""
    return (seed * price.whole_share_probability(level) + contribution) / price.mean_share(level)


def hold_with(price: Price, contribution: str, seed: str) -> Fraction:
    """Return the hold for a contribution and one seed per meter, separated by commas."""
    levels = price.paytable.levels
    seeds = [Fraction(amount) for amount in seed.split(",")]
    if len(seeds) != len(levels):
        what = f"paytable {price.paytable.id} has {len(levels)} meters"
        raise ProblemsError([Problem("seed", what, "give one seed for each")])
    return hold(price, contribution=Fraction(contribution), seeds=dict(zip(levels, seeds, strict=True)))
