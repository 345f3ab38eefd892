"""Bets that are independent of the base game, priced from their counts for any paytable."""

from collections.abc import Mapping

from feltwork.odds.pricing import Price, price
from feltwork.odds.title_odds import BaseGame, CountedBet, odds_of
from feltwork.paytables.paytable import Paytable
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry

BETS: Mapping[tuple[str, str], CountedBet] = {
    (title, name): bet
    for title in registry.names()
    for name, bet in odds_of(title).bets.items()
    if bet.solve is None
}


def counted(title: str, name: str) -> CountedBet:
    """Return how a bet is counted; refuse a bet that is part of a base game."""
    bet = BETS.get((title, name))
    if bet is not None:
        return bet
    where = f"{title}/{name}"
    known = ", ".join(sorted(known for owner, known in BETS if owner == title))
    if not known:
        what, remedy = "the title declares no odds", "choose another title, or declare `odds` in its package"
    elif registry.library(title).ids_of(name):
        what, remedy = "is part of the base game and not counted by itself", f"choose from: {known}"
    else:
        what, remedy = "there is no such bet", f"choose from: {known}"
    raise ProblemsError([Problem(where, what, remedy)])


def reprice(paytable: Paytable, options: Mapping[str, str]) -> Price:
    """Price any paytable of a bet from its counts, exactly and in milliseconds."""
    bet = counted(paytable.title, paytable.bet)
    return price(paytable, bet.atoms(**chosen_options(bet, options)))


def chosen_options(bet: CountedBet | BaseGame, options: Mapping[str, str]) -> dict[str, str]:
    """Return the options in force: those given, and defaults for the others."""
    problems = [
        Problem(name, f"{value!r} is not an option here", f"use one of: {_choices(bet, name)}")
        for name, value in options.items()
        if value not in bet.options.get(name, ())
    ]
    if problems:
        raise ProblemsError(problems)
    return {name: options.get(name, values[0]) for name, values in bet.options.items()}


def _choices(bet: CountedBet | BaseGame, name: str) -> str:
    if name in bet.options:
        return ", ".join(f"{name}={value}" for value in bet.options[name])
    return ", ".join(bet.options) or "no options"
