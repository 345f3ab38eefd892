"""The four-card jackpot: the best four of five cards."""

from fractions import Fraction

from feltwork.odds.figures.families import DOLLARS
from feltwork.odds.figures.figure import Family
from feltwork.odds.pricing import price
from feltwork.odds.title_odds import CountedBet, TitleOdds
from feltwork.odds.titles.crazy_4 import BEST_FOUR, BEST_FOUR_DRAWN
from feltwork.odds.titles.crazy_4.counts import best_four_atoms
from feltwork.titles import registry


def _break_even_meter(*, paytable: str, envy: str) -> Fraction:
    priced = price(registry.paytable("four_card", "jackpot", paytable), best_four_atoms())
    return priced.break_even_meter(other_bettors=int(envy))


ODDS = TitleOdds(
    bets={
        "jackpot": CountedBet(
            atoms=best_four_atoms,
            method=BEST_FOUR,
            figures=("hit_frequency", "top_odds", "fixed_return"),
            drawn=BEST_FOUR_DRAWN,
        )
    },
    figures=(
        Family(
            path="four_card/{paytable}/break_even_meter",
            unit=DOLLARS,
            method=f"{BEST_FOUR}; the other bettors' hands bring envy",
            compute=_break_even_meter,
            listed={
                "paytable": registry.library("four_card").ids_of("jackpot"),
                "envy": tuple(map(str, range(7))),
            },
        ),
    ),
)
