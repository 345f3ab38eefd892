"""Optimal play by table lookup, for simulated players who decide a thousand times a second."""

from feltwork.odds.strategy import verify_solved
from feltwork.odds.title_odds import Paytables, TableOptions, odds_of
from feltwork.problem import Problem, ProblemsError
from feltwork.titles.title import Decide


def player(game: str, paytables: Paytables, options: TableOptions) -> Decide:
    """Return an optimal player of one table; its first counts may take half a minute."""
    verify_solved(game)
    make = odds_of(game).player
    if make is None:
        raise ProblemsError([Problem(game, "has no lookup table", "use `strategy.optimal` instead")])
    return make(paytables, options)
