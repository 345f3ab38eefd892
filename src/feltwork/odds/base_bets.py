"""Any paytable on its counts: bets that stand alone, and bonuses whose game must be solved anew with them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from feltwork.odds.atoms import Atoms
from feltwork.odds.bets import BETS, CountedBet, chosen_options, counted
from feltwork.odds.figures import five_card_games, four_card_games
from feltwork.odds.four_card.classes import pays_by_class
from feltwork.odds.pricing import Price, price
from feltwork.paytables.paytable import Paytable
from feltwork.problem import Problem, ProblemsError

#: What each class of hands wins; and the figures of the game with its strategy in words.
Pays: TypeAlias = tuple[Fraction, ...]
Solved: TypeAlias = tuple[Mapping[str, Fraction], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class PricedPaytable:
    """A priced paytable: its rows on counted deals, and the game around it where it is a part of one."""

    price: Price
    method: str
    options: Mapping[str, str]
    #: Figures of the whole game played optimally with this paytable; empty where the bet stands alone.
    game: Mapping[str, Fraction] = field(default_factory=dict)
    strategy: tuple[str, ...] = ("No decision: what the bet pays depends on the cards alone.",)
    #: Whether the bet has a price of its own, apart from the game.
    stands_alone: bool = True


@dataclass(frozen=True, slots=True)
class _BaseBet:
    """A paytable that belongs to a base game."""

    bet: CountedBet
    solve: Callable[[Pays], Solved]


@lru_cache(maxsize=64)
def _crazy_4(pays: Pays) -> Solved:
    from feltwork.odds.crazy_4 import solve, strategy

    bases = four_card_games.crazy_4_bases()
    found = solve.solve(bases, pays, unqualified="compare")
    border = strategy.margin(four_card_games.crazy_4_kept(), bases, found)
    figures = {
        "house_edge": found.house_edge,
        "element_of_risk": found.element_of_risk,
        "fold_frequency": found.fold_frequency,
        "variance": found.variance,
    }
    return figures, tuple(strategy.in_words(border))


@lru_cache(maxsize=64)
def _six_five_four(pays: Pays) -> Solved:
    from feltwork.odds.six_five_four import solve, strategy

    kept = four_card_games.six_five_four_kept()
    found = solve.solve(solve.class_totals(kept), pays)
    figures = {
        "house_edge": found.house_edge,
        "element_of_risk": found.element_of_risk,
        "fold_frequency": found.fold_frequency,
        "variance": found.variance,
    }
    return figures, tuple(strategy.in_words(kept))


def _unsolved(_pays: Pays) -> Solved:
    return {}, ("The base game is not solved here: the rows' frequencies are those of the dealt hands.",)


def _five_cards() -> Atoms:
    return five_card_games.kept("five_cards")


_BASE: Mapping[tuple[str, str], _BaseBet] = {
    ("crazy_4", "super_bonus"): _BaseBet(
        CountedBet(four_card_games.best_four_atoms, four_card_games.SWEPT, {}), _crazy_4
    ),
    ("six_five_four", "ante_bonus"): _BaseBet(
        CountedBet(four_card_games.best_four_atoms, four_card_games.SWEPT_6, {}), _six_five_four
    ),
    ("caribbean_stud", "raise"): _BaseBet(
        CountedBet(_five_cards, "all 2,598,960 five-card hands, named by the rules", {}), _unsolved
    ),
}


def bets() -> tuple[tuple[str, str], ...]:
    """Every title and bet that a paytable can be priced for."""
    return tuple(sorted({*BETS, *_BASE}))


def offered(title: str, bet: str) -> Mapping[str, tuple[str, ...]]:
    """The options that change the counts of a bet, the default first."""
    return {} if (title, bet) in _BASE else counted(title, bet).options


def default_options(paytable: Paytable) -> dict[str, str]:
    """The options that a paytable is made for, where its own id or its source says so."""
    options = {name: values[0] for name, values in offered(paytable.title, paytable.bet).items()}
    if "side" in options:
        # A bettor is tied to one side; both together describe a table.
        options["side"] = "player"
    hands = paytable.id.partition("-")[0]
    if hands in offered(paytable.title, paytable.bet).get("hands", ()):
        options["hands"] = hands
    decks = str(paytable.recommended.get("decks", "")).split(" ")[0]
    if "decks" in options and decks in offered(paytable.title, paytable.bet)["decks"]:
        options["decks"] = decks if decks != "2" else "6"
    return options


def sheet(paytable: Paytable, options: Mapping[str, str]) -> PricedPaytable:
    """Price any paytable, as printed or as drafted."""
    base = _BASE.get((paytable.title, paytable.bet))
    if base is None:
        bet = counted(paytable.title, paytable.bet)
        chosen = chosen_options(bet, options)
        return PricedPaytable(price(paytable, bet.atoms(**chosen)), bet.method, chosen)
    chosen = chosen_options(base.bet, options)
    if paytable.levels:
        what = "a bonus of the base game is paid by the table, not by a meter"
        raise ProblemsError([Problem(paytable.name, what, 'pay it like "50 to 1"')])
    game, strategy = base.solve(pays_by_class(paytable))
    return PricedPaytable(
        price(paytable, base.bet.atoms()), base.bet.method, chosen, game, strategy, stands_alone=False
    )
