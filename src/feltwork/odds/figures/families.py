"""Families of figures from a priced paytable or a solved base game."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from feltwork.odds.figures.figure import Family
from feltwork.odds.pricing import Price

WAGER = "of the wager"
ROUNDS = "of all rounds"
DOLLARS = "dollars, for a wager of one dollar"
BASE = ("house_edge", "element_of_risk", "fold_frequency")
BET = ("house_edge", "hit_frequency")

#: The figures of a `Price` by attribute, and those of a solved base game.
PRICE_KINDS = {
    "house_edge": WAGER,
    "hit_frequency": ROUNDS,
    "top_odds": "one in",
    "fixed_return": WAGER,
    "break_even_meter": DOLLARS,
}
SOLUTION_KINDS = {
    "house_edge": "of the Ante",
    "element_of_risk": "of all that is staked",
    "fold_frequency": ROUNDS,
}
Listed = Mapping[str, Sequence[str]]


def priced(
    path: str, kinds: Sequence[str], price_of: Callable[..., Price], *, listed: Listed, method: str
) -> tuple[Family, ...]:
    """Return one family per kind for a bet that a paytable pays; ``path`` and kind make the id."""
    return tuple(
        _family(path, kind, PRICE_KINDS[kind], price_of, listed=listed, method=method) for kind in kinds
    )


def solved(
    path: str, kinds: Sequence[str], solution_of: Callable[..., object], *, listed: Listed, method: str
) -> tuple[Family, ...]:
    """Return one family per kind for a base game under optimal play."""
    return tuple(
        _family(path, kind, SOLUTION_KINDS[kind], solution_of, listed=listed, method=method) for kind in kinds
    )


def _family(
    path: str, kind: str, unit: str, source: Callable[..., object], *, listed: Listed, method: str
) -> Family:
    def compute(**parameters: str) -> Fraction:
        value: Fraction | Callable[[], Fraction] = getattr(source(**parameters), kind)
        return value() if callable(value) else value

    return Family(path=f"{path}/{kind}", unit=unit, method=method, compute=compute, listed=listed)
