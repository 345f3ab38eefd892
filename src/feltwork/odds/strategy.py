"""The optimal decision for any hand: the exact answer to any question a table asks a player."""

from functools import cache

from feltwork.odds.title_odds import Advice, Paytables, TableOptions, odds_of
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.titles.title import Decide, Decision


@cache
def solved() -> tuple[str, ...]:
    """Return the games whose decisions are solved; this loads the odds of every title."""
    return tuple(name for name in registry.names() if odds_of(name).advise)


def advise(game: str, decision: Decision, paytables: Paytables) -> Advice:
    """Answer a decision with the paytables of the table."""
    answer = odds_of(game).advise
    if answer is None:
        raise _not_solved(game)
    return answer(decision, paytables)


def optimal(game: str, paytables: Paytables) -> Decide:
    """Return a player who always takes the best choice."""
    return lambda decision: advise(game, decision, paytables).best


def player(game: str, paytables: Paytables, options: TableOptions) -> Decide:
    """Return an optimal player with a lookup table, for simulations; this may run the counts first."""
    verify_solved(game)
    make = odds_of(game).player
    if make is None:
        raise ProblemsError([Problem(game, "has no lookup table", "use `strategy.optimal` instead")])
    return make(paytables, options)


def verify_solved(game: str) -> None:
    """Refuse a game whose decisions are not solved."""
    if game not in registry.names() or odds_of(game).advise is None:
        raise _not_solved(game)


def _not_solved(game: str) -> ProblemsError:
    known = ", ".join(solved())
    return ProblemsError([Problem(game, "this game has no solved strategy", f"choose from: {known}")])
