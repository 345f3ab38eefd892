"""Caribbean Stud: optimal play, and Cover All."""

from collections import Counter
from functools import cache

from feltwork.odds.atoms import Atoms, Names
from feltwork.odds.figures.families import BASE, BET, priced, solved
from feltwork.odds.pricing import Price, price
from feltwork.odds.title_odds import (
    BaseGame,
    CountedBet,
    SolvedGame,
    TitleOdds,
    net_results,
    nothing_folded,
)
from feltwork.odds.titles import five_card
from feltwork.odds.titles.caribbean_stud import alike, certificate, strategy
from feltwork.odds.titles.caribbean_stud.counts import highest_hand_counts
from feltwork.odds.titles.caribbean_stud.solve import pays_of, solution, solved_for
from feltwork.titles import registry
from feltwork.titles.hands.category import Hand, names_of
from feltwork.titles.hands.five_card import ROWS, FiveCardCategory
from feltwork.titles.paytables.paytable import Paytable

METHOD = (
    "shipped certificate, re-derived by --recompute: disjoint good hands counted exactly, then "
    "inclusion-exclusion over how many are good"
)
BASE_METHOD = (
    "optimal play over all 19,933,230,517,200 deals: dealer hands swept upward by value, those with the up "
    "card and disjoint from the player's five by inclusion-exclusion"
)
HANDS = tuple(map(str, range(2, 9)))


@cache
def cover_all_atoms(hands: str) -> Atoms:
    """Count deals by the highest of several hands, from the shipped certificate."""
    atoms: Counter[Names] = Counter()
    for row, deals in highest_hand_counts(int(hands), certificate.shipped()).items():
        atoms[_names_of_row(row)] += deals
    return atoms


def _names_of_row(row: str) -> Names:
    if row == "royal_flush":
        return names_of(Hand(FiveCardCategory.STRAIGHT_FLUSH, (14,)), ROWS)
    return names_of(Hand(FiveCardCategory[row.upper()], (2, 2)), ROWS) if row else frozenset()


def _cover_all(hands: str) -> Price:
    """Price Cover All with the paytable column for the number of hands."""
    return price(registry.paytable("caribbean_stud", "cover_all", hands), cover_all_atoms(hands))


def _solve(paytable: Paytable) -> SolvedGame:
    play = solved_for(pays_of(paytable))
    return SolvedGame(
        strategy=strategy.in_words(play),
        figures={
            "house edge": play.house_edge,
            "element of risk": play.element_of_risk,
            "fold frequency": play.fold_frequency,
            "variance": play.variance,
        },
        outcomes=net_results(play.distribution),
    )


def _solve_base(**paytables: str) -> SolvedGame:
    return _solve(registry.paytable("caribbean_stud", "raise", paytables["raise"]))


ODDS = TitleOdds(
    bets={
        "cover_all": CountedBet(
            atoms=cover_all_atoms, method=METHOD, options={"hands": HANDS}, named_by_id="hands"
        ),
        "raise": CountedBet(atoms=five_card.atoms, method=BASE_METHOD, solve=_solve),
    },
    base_game=BaseGame(
        solve=_solve_base,
        method=BASE_METHOD,
        options={"raise": registry.library("caribbean_stud").ids_of("raise")},
    ),
    figures=(
        *priced("caribbean_stud/cover_all", BET, _cover_all, listed={"hands": HANDS}, method=METHOD),
        *solved("caribbean_stud/base", BASE, solution, listed={}, method=BASE_METHOD),
    ),
    advise=strategy.advise,
    asks=strategy.ASKS,
    player=strategy.player,
    alike=alike.alike,
    certificates={"caribbean_stud/cover_all": lambda: certificate.recomputed() == certificate.shipped()},
    # Optimal play raises a pair or better.
    folded={"five_card": nothing_folded},
)
