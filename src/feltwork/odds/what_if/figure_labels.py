"""What the figures of a setting are called, and how people read their values."""

from collections.abc import Mapping
from fractions import Fraction

from feltwork.odds.what_if.answer import ComputedFigure

LABELS: Mapping[str, str] = {
    "house_edge": "House edge",
    "hold": "Hold in the long run",
    "element_of_risk": "Element of risk",
    "edge_at_seed": "House edge with the meters at their seeds",
    "fixed_return": "Fixed pays return",
    "to_meters": "Goes to meters and reserves",
    "hit_frequency": "Hit frequency",
    "fold_frequency": "Fold frequency",
    "variance": "Variance",
    "standard_deviation": "Standard deviation",
    "top_odds": "Top row",
    "envy_per_bettor": "Envy, each other bettor",
    "break_even_meter": "Break-even meter",
    "mean_jackpot": "Mean jackpot",
    "jackpot_deviation": "Its standard deviation",
    "jackpot_5": "5 % of jackpots are below",
    "jackpot_25": "A quarter is below",
    "jackpot_50": "Half are below",
    "jackpot_75": "Three quarters are below",
    "jackpot_95": "95 % are below",
    "dry_risk": "Risk of running dry",
    "mean_shortfall": "Reserve lacks of the seed, mean",
    "stranded_per_hit": "Left in the reserve by each hit",
    "wagers_to_hit": "Wagers to a hit, mean",
    "hours_to_hit": "Time to a hit, mean",
    "hours_to_hit_50": "Hit with a chance of one half within",
    "hours_to_hit_90": "Hit with a chance of 90 % within",
    "hits_a_year": "Hits a year",
    "back_to_back": "Odds of back-to-back hits",
}
_HOURS_A_DAY = 24


def label(name: str) -> str:
    """What a figure is called; a meter's figure without the name of the meter."""
    return LABELS[name.rpartition(".")[2]]


def written(found: ComputedFigure) -> str:
    """A value as people read it; one that was sampled with its interval."""
    told = in_unit(found.value, found.unit)
    if found.how != "sampled":
        return told
    return f"{told} ± {in_unit(found.error, found.unit)}"


def returns_text(returns: Fraction | None) -> str:
    """What a row gives back of a wager."""
    return "unknown" if returns is None else in_unit(returns, "of the wager")


def in_unit(value: Fraction, unit: str) -> str:
    """A value in its unit: a part as a percentage, dollars with cents, hours as days where they are many."""
    if unit.startswith("of "):
        return f"{float(value * 100):.4f} %"
    if unit == "dollars":
        return f"{'-' if value < 0 else ''}${abs(float(value)):,.2f}"
    if unit == "hours":
        hours = float(value)
        return (
            f"{hours / _HOURS_A_DAY:,.1f} days" if abs(hours) >= 2 * _HOURS_A_DAY else f"{hours:,.1f} hours"
        )
    if unit == "one in":
        return f"one in {value.numerator:,}" if value.denominator == 1 else f"one in {float(value):,.1f}"
    return f"{float(value):,.4f}" if abs(value) < 1_000 else f"{float(value):,.0f}"
