"""Figures of the five-card games: Hold'em Bonus, its jackpot, the five-card link, Cover All."""

from functools import cache

import numpy as np

from feltwork.odds import five_card_bets
from feltwork.odds.atoms import Atoms
from feltwork.odds.count_cache import kept_arrays, kept_atoms
from feltwork.odds.figures.families import priced, solved
from feltwork.odds.figures.figure import Family
from feltwork.odds.holdem_bonus.counts import HoldemBonusCounts, count_outcomes
from feltwork.odds.holdem_bonus.solve import CRITERIA, HoldemSolution, solve
from feltwork.odds.pricing import Price, price
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry

PLAYED = (
    "optimal play over every deal: all hole pairs settled on each canonical board, then turn and river "
    "decisions flop by flop"
)
SEVEN = "all 133,784,560 sets of seven cards, each placed in all ways"
FIVE = "all 2,598,960 five-card hands, named by the rules; folded hands still qualify"
PAIRS = "every pair of hole cards against every pair of the dealer's"
COVERED = (
    "shipped certificate, re-derived by --recompute: disjoint good hands counted exactly, then "
    "inclusion-exclusion over how many are good"
)


@cache
def holdem_kept() -> HoldemBonusCounts:
    """The counts of Hold'em Bonus."""
    arrays = kept_arrays("holdem_bonus", lambda: {"outcomes": np.array(count_outcomes().as_lists())})
    return HoldemBonusCounts.from_lists(arrays["outcomes"].tolist())


@cache
def holdem_solution(criterion: str) -> HoldemSolution:
    """Optimal play of the base game for a criterion of the Ante."""
    for known in CRITERIA:
        if known == criterion:
            return solve(holdem_kept(), known)
    raise ProblemsError([Problem(criterion, "is no ante criterion", f"choose from: {', '.join(CRITERIA)}")])


@cache
def kept(name: str) -> Atoms:
    """The counts of a bet, by the cards it looks at."""
    counters = {
        "five_cards": five_card_bets.five_cards,
        "hole_and_board": five_card_bets.hole_and_board,
        "hole_cards": five_card_bets.hole_cards,
    }
    return kept_atoms(name, counters[name])


def bonus(paytable: str) -> Price:
    """The Bonus on the hole cards."""
    return price(registry.paytable("holdem_bonus", "bonus", paytable), kept("hole_cards"))


def link(paytable: str, game: str) -> Price:
    """The five-card link on a game that shows five cards."""
    if not registry.fits(registry.jackpot("five_card"), "", registry.game(game)):
        raise ProblemsError(
            [Problem(game, "does not show five cards", "try game=crazy_4 or game=holdem_bonus")]
        )
    return price(registry.paytable("five_card", "jackpot", paytable), kept("five_cards"))


def holdem(paytable: str) -> Price:
    """The hold'em jackpot."""
    return price(registry.paytable("holdem", "jackpot", paytable), kept("hole_and_board"))


@cache
def cover_all_atoms(hands: str) -> Atoms:
    """Deals by the highest of so many hands."""
    return five_card_bets.cover_all(int(hands))


def cover_all(hands: str) -> Price:
    """Cover All with so many hands at the table."""
    return price(registry.paytable("caribbean_stud", "cover_all", hands), cover_all_atoms(hands))


FAMILIES: tuple[Family, ...] = (
    *solved(
        "holdem_bonus/base/{criterion}",
        ("house_edge", "element_of_risk"),
        holdem_solution,
        listed={"criterion": CRITERIA},
        method=PLAYED,
    ),
    *priced(
        "holdem_bonus/bonus/{paytable}",
        ("house_edge", "hit_frequency"),
        bonus,
        listed={"paytable": ("1", "2")},
        method=PAIRS,
    ),
    *priced(
        "caribbean_stud/cover_all",
        ("house_edge", "hit_frequency"),
        cover_all,
        listed={"hands": tuple(map(str, range(2, 9)))},
        method=COVERED,
    ),
    *priced(
        "five_card/{paytable}",
        ("hit_frequency", "fixed_return"),
        link,
        listed={"paytable": ("01", "ML01", "ML03"), "game": ("crazy_4", "holdem_bonus")},
        method=FIVE,
    ),
    *priced(
        "holdem/{paytable}",
        ("fixed_return", "break_even_meter"),
        holdem,
        listed={"paytable": ("THBP-08", "QH-11")},
        method=SEVEN,
    ),
)
