"""Figures of the four-card games: Crazy 4, 6-5-4 and the four-card jackpot."""

from collections import Counter
from functools import cache, partial

from feltwork.hands.category import Hand, names_of
from feltwork.hands.four_card import ROWS
from feltwork.odds.atoms import Atoms, Names
from feltwork.odds.count_cache import kept_arrays
from feltwork.odds.crazy_4 import counts as crazy_4_counts
from feltwork.odds.crazy_4 import solve as crazy_4
from feltwork.odds.figures.families import DOLLARS, ROUNDS, priced, solved
from feltwork.odds.figures.figure import Family
from feltwork.odds.four_card.classes import class_atoms, pays_by_class
from feltwork.odds.pricing import Price, price
from feltwork.odds.six_five_four import counts as six_five_four_counts
from feltwork.odds.six_five_four import solve as six_five_four
from feltwork.titles import registry

SWEPT = (
    "optimal play over all 3,986,646,103,440 deals: dealer hands swept upward by value, those disjoint from "
    "the player's five by inclusion-exclusion"
)
SWEPT_6 = "optimal play over all deals, exposed cards used: the same sweep for each card the dealer keeps"
RANKED = "all 2,598,960 five-card hands ranked by their best four"
FIRST_TABLE = "C4P-09"


@cache
def crazy_4_kept() -> crazy_4_counts.Crazy4Counts:
    """The counts of Crazy 4."""
    arrays = kept_arrays("crazy_4", lambda: crazy_4_counts.count().arrays())
    return crazy_4_counts.Crazy4Counts.from_arrays(arrays)


@cache
def crazy_4_bases() -> crazy_4.Bases:
    """What the counts say before any pay is known."""
    return crazy_4.prepare(crazy_4_kept())


@cache
def crazy_4_solution(
    paytable: str = FIRST_TABLE, unqualified: crazy_4.Unqualified = "compare"
) -> crazy_4.CrazyFourSolution:
    """Optimal play; the printed Super Bonus tables are all alike."""
    pays = pays_by_class(registry.paytable("crazy_4", "super_bonus", paytable))
    return crazy_4.solve(crazy_4_bases(), pays, unqualified=unqualified)


@cache
def best_four_atoms() -> Atoms:
    """What all five-card hands are called by their best four."""
    return class_atoms(crazy_4_kept().values, crazy_4_kept().multiplicity)


@cache
def bad_beat_atoms() -> Atoms:
    """Deals by the name of the beaten hand, where optimal play comes to a showdown."""
    solution = crazy_4_solution()
    atoms: Counter[Names] = Counter()
    for category, deals in crazy_4.bad_beat_rows(crazy_4_kept(), solution.stakes).items():
        atoms[names_of(Hand(category, (2, 2, 2, 2)), ROWS)] += deals
    atoms[frozenset()] += solution.deals - sum(atoms.values())
    return atoms


@cache
def six_five_four_kept() -> six_five_four_counts.SixFiveFourCounts:
    """The counts of 6-5-4."""
    arrays = kept_arrays("six_five_four", lambda: six_five_four_counts.count().arrays())
    return six_five_four_counts.SixFiveFourCounts.from_arrays(arrays)


@cache
def six_five_four_solution(paytable: str = "1") -> six_five_four.SixFiveFourSolution:
    """Optimal play with the Ante Bonus; the printed tables are all alike."""
    pays = pays_by_class(registry.paytable("six_five_four", "ante_bonus", paytable))
    return six_five_four.solve(six_five_four.class_totals(six_five_four_kept()), pays)


def queens_up(game: str, paytable: str) -> Price:
    """Queens Up of either game."""
    return price(registry.paytable(game, "queens_up", paytable), best_four_atoms())


def bad_beat(paytable: str) -> Price:
    """The Bad Beat Bonus, base game played optimally."""
    return price(registry.paytable("crazy_4", "bad_beat", paytable), bad_beat_atoms())


def four_card(paytable: str) -> Price:
    """The four-card jackpot."""
    return price(registry.paytable("four_card", "jackpot", paytable), best_four_atoms())


C4P = {"paytable": ("C4P-09", "C4P-10", "C4P-11", "C4P-12")}
BBB = {"paytable": ("BBB-01", "BBB-02")}
NUMBERED = {"paytable": ("1", "2", "3")}
BASE = ("house_edge", "element_of_risk", "fold_frequency")
BET = ("house_edge", "hit_frequency")

FAMILIES = (
    *solved("crazy_4/base", BASE, crazy_4_solution, listed={}, method=SWEPT),
    Family(
        path="crazy_4/super_bonus/hit_frequency",
        unit=ROUNDS,
        method=SWEPT,
        compute=lambda: crazy_4_solution().super_bonus_hit_frequency,
        listed={},
    ),
    Family(
        path="crazy_4/base/hit_frequency",
        unit=ROUNDS,
        method=f"{SWEPT}; how often Play wins",
        compute=lambda: crazy_4_solution().win_frequency,
        listed={},
        is_listed=False,
    ),
    *priced("crazy_4/queens_up/{paytable}", BET, partial(queens_up, "crazy_4"), listed=C4P, method=RANKED),
    *priced("crazy_4/bad_beat/{paytable}", BET, bad_beat, listed=BBB, method=SWEPT),
    *solved("six_five_four/base", BASE, six_five_four_solution, listed={}, method=SWEPT_6),
    *priced(
        "six_five_four/queens_up/{paytable}",
        BET,
        partial(queens_up, "six_five_four"),
        listed=NUMBERED,
        method=RANKED,
    ),
    *priced(
        "four_card/{paytable}",
        ("hit_frequency", "top_odds", "fixed_return"),
        four_card,
        listed=NUMBERED,
        method=RANKED,
    ),
    Family(
        path="four_card/{paytable}/break_even_meter",
        unit=DOLLARS,
        method=f"{RANKED}; the other bettors' hands bring envy",
        compute=lambda paytable, envy: four_card(paytable).break_even_meter(other_bettors=int(envy)),
        listed={**NUMBERED, "envy": tuple(map(str, range(7)))},
    ),
)
