"""Any paytable priced: an independent bet, or a bonus whose base game is solved again with it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from feltwork.odds.bets import chosen_options, counted
from feltwork.odds.pricing import Price, price
from feltwork.odds.title_odds import CountedBet, odds_of
from feltwork.paytables.paytable import Paytable
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry


@dataclass(frozen=True, slots=True)
class PricedPaytable:
    """A paytable priced on counted deals, with the base game around it where it is part of one."""

    price: Price
    method: str
    options: Mapping[str, str]
    #: Figures of the whole game under optimal play with this paytable; empty for an independent bet.
    game: Mapping[str, Fraction] = field(default_factory=dict)
    strategy: tuple[str, ...] = ("No decision: the cards alone decide what the bet pays.",)
    #: Whether the bet has a price of its own, apart from the game.
    stands_alone: bool = True


def _bet(title: str, name: str) -> CountedBet:
    bet = odds_of(title).bets.get(name) if title in registry.names() else None
    return bet or counted(title, name)


def bets() -> tuple[tuple[str, str], ...]:
    """List every title and bet that a paytable can be priced for."""
    return tuple(sorted((title, bet) for title in registry.names() for bet in odds_of(title).bets))


def offered(title: str, bet: str) -> Mapping[str, tuple[str, ...]]:
    """Return the options that change the counts of a bet, the default first."""
    return _bet(title, bet).options


def default_options(paytable: Paytable) -> dict[str, str]:
    """Return the options a paytable is made for, where its id or its source names them."""
    values = offered(paytable.title, paytable.bet)
    options = {name: choices[0] for name, choices in values.items()}
    if "side" in options:
        # A bettor is tied to one side; both together describe a table.
        options["side"] = "player"
    hands = paytable.id.partition("-")[0]
    if hands in values.get("hands", ()):
        options["hands"] = hands
    decks = str(paytable.recommended.get("decks", "")).split(" ")[0]
    if decks in values.get("decks", ()):
        options["decks"] = decks if decks != "2" else "6"
    return options


def sheet(paytable: Paytable, options: Mapping[str, str]) -> PricedPaytable:
    """Price any paytable, published or drafted."""
    bet = _bet(paytable.title, paytable.bet)
    chosen = chosen_options(bet, options)
    priced = price(paytable, bet.atoms(**chosen))
    if bet.solve is None:
        return PricedPaytable(priced, bet.method, chosen)
    if paytable.levels:
        what = "a bonus of the base game is paid by the table, not by a meter"
        raise ProblemsError([Problem(paytable.name, what, 'pay it like "50 to 1"')])
    game = bet.solve(paytable)
    return PricedPaytable(priced, bet.method, chosen, game.figures, game.strategy, stands_alone=False)
