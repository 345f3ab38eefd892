"""Families of figures from a priced paytable or a solved base game."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Protocol, TypeVar

from feltwork.odds.figures.figure import Family
from feltwork.odds.pricing import Price

T = TypeVar("T")
WAGER = "of the wager"
ROUNDS = "of all rounds"
ONE_IN = "one in"
DOLLARS = "dollars, for a wager of one dollar"

BASE = ("house_edge", "element_of_risk", "fold_frequency")
BET = ("house_edge", "hit_frequency")

#: Figures of a priced paytable, with their units.
PRICE_KINDS: Mapping[str, tuple[str, Callable[[Price], Fraction]]] = {
    "house_edge": (WAGER, lambda price: price.house_edge),
    "hit_frequency": (ROUNDS, lambda price: price.hit_frequency),
    "top_odds": (ONE_IN, lambda price: price.top_odds),
    "fixed_return": (WAGER, lambda price: price.fixed_return),
    "break_even_meter": (DOLLARS, lambda price: price.break_even_meter()),
}


class Solution(Protocol):
    """A base game under optimal play."""

    @property
    def house_edge(self) -> Fraction:
        """Per Ante."""

    @property
    def element_of_risk(self) -> Fraction:
        """Per unit staked."""

    @property
    def fold_frequency(self) -> Fraction:
        """The share of hands folded."""


SOLUTION_KINDS: Mapping[str, tuple[str, Callable[[Solution], Fraction]]] = {
    "house_edge": ("of the Ante", lambda solution: solution.house_edge),
    "element_of_risk": ("of all that is staked", lambda solution: solution.element_of_risk),
    "fold_frequency": (ROUNDS, lambda solution: solution.fold_frequency),
}


def priced(
    path: str,
    kinds: Sequence[str],
    price_of: Callable[..., Price],
    *,
    listed: Mapping[str, Sequence[str]],
    method: str,
) -> tuple[Family, ...]:
    """Return one family per kind for a bet that a paytable pays; ``path`` and kind make the id."""
    chosen = {kind: PRICE_KINDS[kind] for kind in kinds}
    return _families(path, chosen, price_of, listed=listed, method=method)


def solved(
    path: str,
    kinds: Sequence[str],
    solution_of: Callable[..., Solution],
    *,
    listed: Mapping[str, Sequence[str]],
    method: str,
) -> tuple[Family, ...]:
    """Return one family per kind for a base game under optimal play."""
    chosen = {kind: SOLUTION_KINDS[kind] for kind in kinds}
    return _families(path, chosen, solution_of, listed=listed, method=method)


def _families(
    path: str,
    kinds: Mapping[str, tuple[str, Callable[[T], Fraction]]],
    source: Callable[..., T],
    *,
    listed: Mapping[str, Sequence[str]],
    method: str,
) -> tuple[Family, ...]:
    return tuple(
        Family(path=f"{path}/{kind}", unit=unit, method=method, compute=_reader(read, source), listed=listed)
        for kind, (unit, read) in kinds.items()
    )


def _reader(read: Callable[[T], Fraction], source: Callable[..., T]) -> Callable[..., Fraction]:
    return lambda **chosen: read(source(**chosen))
