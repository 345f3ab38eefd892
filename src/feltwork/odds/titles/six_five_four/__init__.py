"""6-5-4 Poker: counts, optimal play, prices."""

from functools import lru_cache

from feltwork.odds.figures.families import BASE, BET, solved
from feltwork.odds.four_card.class_pays import ClassPays, pays_by_class
from feltwork.odds.title_odds import BaseGame, CountedBet, SolvedGame, TitleOdds, net_results, nothing_folded
from feltwork.odds.titles.crazy_4 import BEST_FOUR, BEST_FOUR_DRAWN
from feltwork.odds.titles.crazy_4.counts import best_four_atoms
from feltwork.odds.titles.six_five_four import alike, solve, strategy
from feltwork.odds.titles.six_five_four.counts import cached_counts
from feltwork.odds.titles.six_five_four.with_base import queens_up_with_base
from feltwork.titles import registry
from feltwork.titles.paytables.paytable import Paytable

METHOD = "optimal play over all deals, exposed cards used: the same sweep for each card the dealer keeps"


@lru_cache(maxsize=64)
def _solve(pays: ClassPays) -> SolvedGame:
    play = solve.solve(solve.class_totals(cached_counts()), pays)
    return SolvedGame(
        strategy=tuple(strategy.in_words(cached_counts())),
        figures={
            "house edge": play.house_edge,
            "element of risk": play.element_of_risk,
            "fold frequency": play.fold_frequency,
            "Ante Bonus hit frequency": play.ante_bonus_hit_frequency,
            "variance": play.variance,
        },
        outcomes=net_results(play.distribution),
    )


def _solve_paytable(ante_bonus: Paytable) -> SolvedGame:
    return _solve(pays_by_class(ante_bonus))


ODDS = TitleOdds(
    bets={
        "ante_bonus": CountedBet(atoms=best_four_atoms, method=METHOD, solve=_solve_paytable),
        "queens_up": CountedBet(
            atoms=best_four_atoms,
            method=BEST_FOUR,
            figures=BET,
            with_base=queens_up_with_base,
            drawn=BEST_FOUR_DRAWN,
        ),
    },
    base_game=BaseGame(
        solve=lambda ante_bonus: _solve_paytable(
            registry.paytable("six_five_four", "ante_bonus", ante_bonus)
        ),
        method=METHOD,
        options={"ante_bonus": registry.library("six_five_four").ids_of("ante_bonus")},
    ),
    figures=solved("six_five_four/base", BASE, solve.solution, listed={}, method=METHOD),
    advise=strategy.advise,
    asks=strategy.ASKS,
    player=strategy.player,
    alike=alike.alike,
    folded=dict.fromkeys(("four_card", "five_card"), nothing_folded),
)
