"""The catalog of all figures, by id and by pattern."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cache

from feltwork.odds.atoms import Atoms
from feltwork.odds.figures.families import priced
from feltwork.odds.figures.figure import Family, Figure
from feltwork.odds.pricing import Price, price
from feltwork.odds.title_odds import CountedBet, odds_of
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry


@cache
def families() -> tuple[Family, ...]:
    """Return the families of figures that the titles declare."""
    return tuple(family for title in registry.names() for family in _families(title))


def _families(title: str) -> Iterator[Family]:
    odds = odds_of(title)
    for name, bet in odds.bets.items():
        if bet.figures:
            yield from _bet_families(title, name, bet)
    yield from odds.figures


def _bet_families(title: str, name: str, bet: CountedBet) -> tuple[Family, ...]:
    """Name a bet's figures `title/bet/paytable/kind`; a jackpot has one bet, which its ids leave out."""

    def price_of(paytable: str, **options: str) -> Price:
        atoms: Atoms = bet.atoms(**options)
        return price(registry.paytable(title, name, paytable), atoms)

    path = f"{title}/{{paytable}}" if name == "jackpot" else f"{title}/{name}/{{paytable}}"
    parameters = bet.listed or {"paytable": registry.library(title).ids_of(name), **bet.options}
    return priced(path, bet.figures, price_of, listed=parameters, method=bet.method)


def ids() -> list[str]:
    """Return the ids of a full listing."""
    return [identifier for family in families() if family.is_listed for identifier in family.ids()]


def figure(identifier: str) -> Figure:
    """Return the figure with an id; the id may carry any parameters its family accepts."""
    for family in families():
        match = family.figure(identifier)
        if match is not None:
            return match
    near = ", ".join(get_close_matches(identifier, [*registry.names(), *ids()], n=3, cutoff=0.5)) or "none"
    remedy = f"list the ids with `feltwork figures`; similar ids: {near}"
    raise ProblemsError([Problem(identifier, "this is not a known figure", remedy)])


def matching(patterns: Sequence[str]) -> Iterator[str]:
    """Yield the ids that match any pattern, with ``*`` as the wildcard; other parameters match literally."""
    all_ids = ids()
    if not patterns:
        yield from all_ids
        return
    yield from dict.fromkeys(identifier for pattern in patterns for identifier in _matches(pattern, all_ids))


def _matches(pattern: str, all_ids: list[str]) -> list[str]:
    below = (f"{pattern}/", f"{pattern}?")
    # A question mark starts the parameters of an id; it is not a wildcard.
    literal = pattern.replace("[", "[[]").replace("?", "[?]")
    matches = [name for name in all_ids if fnmatchcase(name, literal) or name.startswith(below)]
    return matches or [pattern]
