"""A title's odds: what is counted, how the base game is solved, and the strategy in words.

`Game.odds` and `Jackpot.odds` name the module whose `ODDS` is a `TitleOdds`. It is a name rather
than an object because titles are a layer below odds, and because settling a round must not load numba.
Built-in titles declare theirs in `feltwork.odds.titles`; a plug-in does so in its own package, and nothing
else changes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from feltwork.odds.atoms import Atoms, Names
from feltwork.odds.figures.figure import Family, decimal
from feltwork.odds.pricing import RowReturn
from feltwork.titles import registry
from feltwork.titles.cards.card import Card
from feltwork.titles.paytables.paytable import Paytable
from feltwork.titles.title import Decide, Decision, OptionValue, Sight

if TYPE_CHECKING:
    from feltwork.odds.batches import AlikeRounds, Strategy

Paytables: TypeAlias = Mapping[str, Paytable]
Cards: TypeAlias = tuple[Card, ...]
TableOptions: TypeAlias = Mapping[str, OptionValue]
#: Option names with the values on offer; the first is the default.
Offered: TypeAlias = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Advice:
    """The best choice, and the value of each choice in units of the first wager.

    Among choices of equal value, the smaller stake is best.
    """

    best: str
    worth: Mapping[str, Fraction]
    #: Whether the values are those of optimal play; after a split they ignore the other hands.
    exact: bool = True

    def cost_of(self, choice: str) -> Fraction:
        """Return the expected loss of a choice against the best one."""
        return self.worth[self.best] - self.worth[choice]

    def as_json(self) -> dict[str, object]:
        """Return the advice for programs."""
        return {
            "choices": {choice: _number(worth) for choice, worth in self.worth.items()},
            "best": self.best,
            "cost_of": {choice: _number(self.cost_of(choice)) for choice in self.worth},
            "exact": self.exact,
        }


def _number(value: Fraction) -> dict[str, object]:
    return {"value": str(value), "decimal": float(value)}


@dataclass(frozen=True, slots=True)
class Asks:
    """Input of a game's decision: the allowed numbers of cards that the player holds and sees, by place."""

    cards: tuple[int, ...]
    sees: Mapping[str, tuple[int, ...]]
    question: Callable[[Cards, Mapping[str, Cards], TableOptions], Decision]
    #: Decisions that can also be valued with exposed cards.
    exposed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SolvedGame:
    """A base game under optimal play."""

    strategy: tuple[str, ...]
    figures: Mapping[str, Fraction] = field(default_factory=dict)
    outcomes: tuple[RowReturn, ...] = ()
    #: The error of the house edge, if the game is solved in double precision.
    error: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class BetDecision:
    """The return that the best decision adds to a bet, per unit of the bet."""

    gain: Fraction
    error: Fraction
    strategy: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WithBase:
    """A side bet and the base game in the same rounds, each in units of its wager."""

    covariance: Fraction
    base_variance: Fraction


@dataclass(frozen=True, slots=True)
class DrawnHand:
    """A bet on a few cards of one deck: the sizes of their groups, and the rows that the rules find."""

    groups: tuple[int, ...]
    names: "Callable[[Sight], Names]"
    counted_by: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedBet:
    """A bet that any paytable can be priced for, published or drafted."""

    #: Called with the chosen options; counts the deals with each set of row names.
    atoms: Callable[..., Atoms]
    method: str
    options: Offered = field(default_factory=dict)
    #: Kinds of figures to list (see `PRICE_KINDS`), for ``listed`` or else for every combination.
    figures: tuple[str, ...] = ()
    listed: Mapping[str, Sequence[str]] | None = None
    #: Solves the base game around a paytable; None where the bet is independent of the base game.
    solve: Callable[..., SolvedGame] | None = None
    #: Prices the bet's own decision, given all options; None for a bet without a decision.
    decide: Callable[[Paytable, Mapping[str, str]], BetDecision] | None = None
    #: Called with the same options; counts the shoe without one card, for each card of the deck.
    removals: Callable[..., Mapping[Card, Atoms]] | None = None
    #: Options that change play but not the counts.
    play_options: Offered = field(default_factory=dict)
    #: The option that the id of a published paytable names.
    named_by_id: str = ""
    #: Covariance of a side bet with the base game in optimal play, from a paytable and the same options; None
    #: where it is only simulated.
    with_base: Callable[..., WithBase] | None = None
    #: The cards that a bet from one deck looks at; None where exposed cards are not counted.
    drawn: DrawnHand | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseGame:
    """A base game that can be solved for given options."""

    solve: Callable[..., SolvedGame]
    method: str
    options: Offered


@dataclass(frozen=True, slots=True)
class LetterError:
    """A mistake that reproduces a printed figure that the rules as written do not give."""

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
    #: Builds a decision from given cards, for `feltwork advise`.
    asks: Asks | None = None
    #: Answers one decision exactly.
    advise: Callable[[Decision, Paytables], Advice] | None = None
    #: Builds a player that gives the same answers from a lookup table, for simulations.
    player: Callable[[Paytables, TableOptions], Decide] | None = None
    #: Classifies simulated rounds that are decided and settled alike; None if every round is played.
    alike: "Callable[[Paytables, TableOptions, Strategy], AlikeRounds | None] | None" = None
    #: For a game: deals that optimal play folds, by jackpot and by the rows they would have won.
    folded: Mapping[str, Callable[[TableOptions], Atoms]] = field(default_factory=dict)
    #: Shipped counts that take minutes, each with a check that a recount reproduces it.
    certificates: Mapping[str, Callable[[], bool]] = field(default_factory=dict)
    #: Errors in the letters by figure id and printed text.
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


#: Name of the lines of a distribution of net results.
NET_RESULT = "net result"


def net_results(deals: Mapping[Fraction, int]) -> tuple[RowReturn, ...]:
    """List the net results of a game, best first."""
    total = sum(deals.values())
    return tuple(
        RowReturn(NET_RESULT, decimal(net, 4), Fraction(count, total), net * Fraction(count, total), count)
        for net, count in sorted(deals.items(), reverse=True)
    )
