"""A title's odds: what is counted, how the base game is solved, and the strategy in words.

`Game.odds` and `Jackpot.odds` name the module whose `ODDS` is a `TitleOdds`. It is a name and not an object
because titles sit below odds in the layers, and because settling a round must not load numba. Built-in titles
keep theirs in `feltwork.odds.titles`; a plug-in keeps it in its own package, and nothing else changes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from importlib import import_module
from typing import TypeAlias

from feltwork.odds.atoms import Atoms
from feltwork.odds.figures.figure import Family, decimal
from feltwork.odds.pricing import RowReturn
from feltwork.paytables.paytable import Paytable
from feltwork.titles import registry
from feltwork.titles.title import Decide, Decision, OptionValue

Paytables: TypeAlias = Mapping[str, Paytable]
TableOptions: TypeAlias = Mapping[str, OptionValue]
#: Option names with the values on offer; the first is the default.
Offered: TypeAlias = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Advice:
    """The best choice, and the value of each choice in units of the first wager.

    Of choices with the same value, the one that stakes less is best.
    """

    best: str
    worth: Mapping[str, Fraction]

    def cost_of(self, choice: str) -> Fraction:
        """Return the expected loss of a choice against the best one."""
        return self.worth[self.best] - self.worth[choice]


@dataclass(frozen=True, slots=True, kw_only=True)
class SolvedGame:
    """A base game under optimal play."""

    strategy: tuple[str, ...]
    figures: Mapping[str, Fraction] = field(default_factory=dict)
    outcomes: tuple[RowReturn, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedBet:
    """A bet that any paytable can be priced for, published or drafted."""

    #: Called with the chosen options; counts how many deals carry each set of row names.
    atoms: Callable[..., Atoms]
    method: str
    options: Offered = field(default_factory=dict)
    #: The kinds of figure to list (see `PRICE_KINDS`), for these parameters or else for every combination.
    figures: tuple[str, ...] = ()
    listed: Mapping[str, Sequence[str]] | None = None
    #: Solves the base game around a paytable; None where the bet is independent of the base game.
    solve: Callable[[Paytable], SolvedGame] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseGame:
    """A base game that is solved for the options given."""

    solve: Callable[..., SolvedGame]
    method: str
    options: Offered


@dataclass(frozen=True, slots=True)
class LetterError:
    """A mistake that reproduces a printed figure which the rules as written do not give."""

    explanation: str | Callable[[], str]
    #: The figure computed with the mistake; None where the printed figure is shown to be impossible instead.
    value: Callable[[], Fraction] | None = None
    #: The printed digits were truncated, not rounded.
    truncated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TitleOdds:
    """Everything that Feltwork computes about one title."""

    bets: Mapping[str, CountedBet] = field(default_factory=dict)
    base_game: BaseGame | None = None
    #: Figures beyond those of the bets.
    figures: tuple[Family, ...] = ()
    #: Answers one decision exactly.
    advise: Callable[[Decision, Paytables], Advice] | None = None
    #: Makes a player who answers the same from a lookup table, for simulations.
    player: Callable[[Paytables, TableOptions], Decide] | None = None
    #: House options that the strategy is solved for; other values are refused.
    solved_options: TableOptions = field(default_factory=dict)
    #: Of a game, by jackpot: the deals that optimal play folds, by the jackpot rows they would have won.
    folded: Mapping[str, Callable[[TableOptions], Atoms]] = field(default_factory=dict)
    #: Shipped counts that take minutes, each with a check that a recount gives the same.
    certificates: Mapping[str, Callable[[], bool]] = field(default_factory=dict)
    #: By figure id and printed text.
    letter_errors: Mapping[tuple[str, str], LetterError] = field(default_factory=dict)


def nothing_folded(_options: TableOptions) -> Atoms:
    """Return no deals: a hand that the jackpot pays is never folded."""
    return {}


@cache
def odds_of(title: str) -> TitleOdds:
    """Load the odds that a title declares."""
    module = registry.title(title).odds
    if not module:
        return TitleOdds()
    odds: TitleOdds = import_module(module).ODDS
    return odds


def net_results(deals: Mapping[Fraction, int]) -> tuple[RowReturn, ...]:
    """List the net results of a game, best first."""
    total = sum(deals.values())
    return tuple(
        RowReturn("net result", decimal(net, 4), Fraction(count, total), net * Fraction(count, total), count)
        for net, count in sorted(deals.items(), reverse=True)
    )
