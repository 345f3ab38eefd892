"""Optimal play by table lookup, for simulated players who decide a thousand times a second."""

from feltwork.odds.strategy import unsolved
from feltwork.odds.title_odds import Paytables, TableOptions, odds_of
from feltwork.problem import Problem, ProblemsError
from feltwork.titles.title import Decide


def player(game: str, paytables: Paytables, options: TableOptions) -> Decide:
    """Return an optimal player of one table; its first counts may take half a minute."""
    problems = unsolved(game, options)
    make = odds_of(game).player
    if make is None and not problems:
        problems = [Problem(game, "has no lookup table", "use `strategy.optimal` instead")]
    if make is None or problems:
        raise ProblemsError(problems)
    return make(paytables, options)
