"""The price of any paytable, published or drafted: the function that every command and screen calls.

A bet is priced on counted deals. A bonus of a base game is priced by solving the game around it, and a bet
with its own decision (House Money) by making the best decision.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction

from feltwork.odds.pricing import Price, RowReturn, price
from feltwork.odds.title_odds import BaseGame, CountedBet, Offered, odds_of
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import meter_pays, registry
from feltwork.titles.paytables.paytable import Paytable
from feltwork.titles.title import Jackpot, Option


@dataclass(frozen=True, slots=True)
class Sheet:
    """A paytable priced on counted deals, with its base game if it is part of one."""

    price: Price
    method: str
    options: Mapping[str, str]
    #: Figures of the whole game under optimal play with this paytable; empty for an independent bet.
    game: Mapping[str, Fraction] = field(default_factory=dict)
    strategy: tuple[str, ...] = ("No decision: the cards alone decide what the bet pays.",)
    #: Whether the bet has a price of its own, apart from the game.
    stands_alone: bool = True
    #: Return that the best decision adds to the rows, and the error of that value.
    gain: Fraction = Fraction(0)
    gain_error: Fraction = Fraction(0)
    #: The net results of the whole game under optimal play, best first; empty for an independent bet.
    net_results: tuple[RowReturn, ...] = ()

    @property
    def house_edge(self) -> Fraction:
        """The house edge of a bet without a meter, its decision included."""
        return self.price.house_edge - self.gain


def bets() -> tuple[tuple[str, str], ...]:
    """List every title and bet that a paytable can be priced for."""
    return tuple(sorted((title, bet) for title in registry.names() for bet in odds_of(title).bets))


def counted_bet(title: str, name: str) -> CountedBet:
    """Return how a bet is counted."""
    known = odds_of(title).bets
    if name in known:
        return known[name]
    what = "there is no such bet" if known else "the title declares no odds"
    remedy = f"choose from: {', '.join(sorted(known))}" if known else "choose another title"
    raise ProblemsError([Problem(f"{title}/{name}", what, remedy)])


def offered(title: str, bet: str) -> Offered:
    """Return the options that change the price of a bet, the default first."""
    counted = counted_bet(title, bet)
    return {**counted.options, **counted.play_options}


def default_options(paytable: Paytable) -> dict[str, str]:
    """Return the options that a paytable is designed for, where its id or its source names them."""
    values = offered(paytable.title, paytable.bet)
    options = {name: choices[0] for name, choices in values.items()} | _named_by_id(paytable)
    if "side" in options:
        # A bettor plays one side; both together describe a table.
        options["side"] = "player"
    decks, _, more = str(paytable.recommended.get("decks", "")).partition(" ")
    fits_default = more == "or more" and decks.isdecimal() and int(options.get("decks", 0)) >= int(decks)
    if decks in values.get("decks", ()) and not fits_default:
        options["decks"] = decks
    return options


def _named_by_id(paytable: Paytable) -> dict[str, str]:
    """Return the option that the id of a paytable names, such as the number of hands of Cover All."""
    bet = counted_bet(paytable.title, paytable.bet)
    value = paytable.id.removesuffix("-draft")
    return {bet.named_by_id: value} if value in bet.options.get(bet.named_by_id, ()) else {}


def sheet(paytable: Paytable, options: Mapping[str, str] | None = None) -> Sheet:
    """Price any paytable; missing options default to those it is designed for."""
    bet = counted_bet(paytable.title, paytable.bet)
    values = offered(paytable.title, paytable.bet)
    chosen = default_options(paytable) | chosen_options(paytable.title, values, options or {})
    for name, value in _named_by_id(paytable).items():
        if chosen[name] != value:
            what = f"{paytable.name} is paid with {name}={value} only"
            raise ProblemsError([Problem(name, what, f"use {name}={value}, or another paytable")])
    _verify_rows(paytable)
    priced = price(paytable, bet.atoms(**{name: chosen[name] for name in bet.options}))
    _verify_reached(priced)
    playing = {name: chosen[name] for name in bet.play_options}
    if bet.solve is not None:
        game = bet.solve(paytable, **playing)
        return Sheet(
            priced,
            bet.method,
            chosen,
            game.figures,
            game.strategy,
            stands_alone=False,
            net_results=game.outcomes,
        )
    if bet.decide is not None:
        decided = bet.decide(paytable, chosen)
        return Sheet(
            priced, bet.method, chosen, strategy=decided.strategy, gain=decided.gain, gain_error=decided.error
        )
    return Sheet(priced, bet.method, chosen)


def sides(paytable: Paytable) -> tuple[str, ...]:
    """Return the sides that a bettor can choose from; none for a bet without sides."""
    return tuple(side for side in offered(paytable.title, paytable.bet).get("side", ()) if side != BOTH)


#: Pseudo-side for both together: a figure of the table, not of a bet that a player can make.
BOTH = "either"


def chosen_options(title: str, values: Offered, options: Mapping[str, str]) -> dict[str, str]:
    """Return the given options; refuse options that the title lacks or that are not priced."""
    problems = [
        problem
        for name, value in options.items()
        if (problem := _option_problem(title, values, name, value)) is not None
    ]
    if problems:
        raise ProblemsError(problems)
    return {name: value for name, value in options.items() if name in values}


def _option_problem(title: str, values: Offered, name: str, value: str) -> Problem | None:
    if name in values:
        if value in values[name]:
            return None
        return Problem(
            name, f"{value!r} is not an allowed value", f"use one of: {_pairs(name, values[name])}"
        )
    priced_options = "; ".join(_pairs(option, choices) for option, choices in values.items()) or "none"
    fixed = {option.name: _text(option) for option in options_of(title)}
    if name not in fixed:
        near = get_close_matches(name, [*values, *fixed], n=1)
        guess = f"did you mean {near[0]}? " if near else ""
        return Problem(
            name, f"is not an option of {title}", f"{guess}options that are priced: {priced_options}"
        )
    if value == fixed[name]:
        return None
    what = f"{name}={value} is not priced, only {name}={fixed[name]}"
    return Problem(name, what, f"options that are priced: {priced_options}")


def options_of(title: str) -> tuple[Option, ...]:
    """Return the house options of a title; a jackpot also has those common to all jackpots."""
    declared = registry.title(title)
    return (*meter_pays.OPTIONS, *declared.options) if isinstance(declared, Jackpot) else declared.options


def _text(option: Option) -> str:
    return str(option.default).lower()


def _pairs(name: str, values: Iterable[str]) -> str:
    return ", ".join(f"{name}={value}" for value in values)


def known_rows(paytable: Paytable) -> frozenset[str]:
    """Return the rows that the title recognizes for the bet."""
    declared = registry.title(paytable.title)
    return declared.rows if isinstance(declared, Jackpot) else declared.rows[paytable.bet]


def _verify_rows(paytable: Paytable) -> None:
    """Refuse rows that the title does not recognize or cannot pay."""
    is_jackpot = isinstance(registry.title(paytable.title), Jackpot)
    known = known_rows(paytable)
    problems = []
    for row in paytable.rows:
        if row.hand not in known:
            near = get_close_matches(row.hand, known, n=1)
            guess = f"did you mean {near[0]}? " if near else ""
            remedy = f"{guess}rows of this bet: {', '.join(sorted(known))}"
            problems.append(Problem(row.hand, f"{paytable.title} has no such row", remedy))
    if paytable.levels and not is_jackpot:
        what = "a game's bet cannot pay from a meter"
        problems.append(Problem(paytable.name, what, 'use fixed pays, such as "50 to 1"'))
    if not is_jackpot and any(row.envy for row in paytable.rows):
        problems.append(Problem(paytable.name, "only a jackpot pays envy", "remove envy from its rows"))
    if problems:
        raise ProblemsError(problems)


def _verify_reached(priced: Price) -> None:
    """Refuse a row whose hands are all paid by earlier rows."""
    rows = priced.paytable.rows
    problems = [
        Problem(
            row.hand,
            f"is never paid: every such hand is paid by an earlier row ({', '.join(priced.shadows[place])})",
            "move it up, or remove it",
        )
        for place, row in enumerate(rows)
        if place in priced.shadows
    ]
    if problems:
        raise ProblemsError(problems)


def solved_base(title: str) -> BaseGame:
    """Return how the base game of a title is solved."""
    game = odds_of(title).base_game
    if game is not None:
        return game
    solved = ", ".join(name for name in registry.names() if odds_of(name).base_game)
    remedy = f"choose one of its bets, or a solved base game: {solved}"
    raise ProblemsError([Problem(title, "its base game is not solved", remedy)])
