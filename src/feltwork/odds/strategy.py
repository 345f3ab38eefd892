"""The optimal decision for any hand: the exact answer to what a table asks a player."""

from functools import cache

from feltwork.odds.title_odds import Advice, Paytables, odds_of
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.titles.title import Decide, Decision


@cache
def solved() -> tuple[str, ...]:
    """Return the games whose decisions are solved; this loads the odds of every title."""
    return tuple(name for name in registry.names() if odds_of(name).advise)


def advise(game: str, decision: Decision, paytables: Paytables) -> Advice:
    """Answer a decision with the paytables of the table."""
    verify_solved(game)
    answer = odds_of(game).advise
    assert answer is not None, "a solved game advises"
    return answer(decision, paytables)


def optimal(game: str, paytables: Paytables) -> Decide:
    """Return a player who always takes the best choice."""
    return lambda decision: advise(game, decision, paytables).best


def verify_solved(game: str) -> None:
    """Refuse a game whose decisions are not solved."""
    if game not in registry.names() or odds_of(game).advise is None:
        known = ", ".join(solved())
        raise ProblemsError([Problem(game, "has no solved strategy", f"choose from: {known}")])
