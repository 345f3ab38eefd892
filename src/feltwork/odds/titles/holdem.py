"""The hold'em jackpot: seven cards, and the number of them that completed a royal flush."""

from collections import Counter

from feltwork.odds.atoms import Atoms, Names
from feltwork.odds.count_cache import kept_atoms
from feltwork.odds.title_odds import CountedBet, TitleOdds
from feltwork.titles import registry
from feltwork.titles.cards.card import parse_cards
from feltwork.titles.hands.category import Hand, names_of
from feltwork.titles.hands.five_card import ROWS, FiveCardCategory

#: Number of ways that a royal is complete after five, six or seven cards, or on the board alone, with
#: examples: the two cards outside it are equally likely in any of the 21 pairs of places.
ROYAL_PLACES = (
    (1, "As Ks", "Qs Js Ts 2d 3d"),
    (5, "As Ks", "Qs Js 2d Ts 3d"),
    (14, "As Ks", "Qs Js 2d 3d Ts"),
    (1, "2d 3d", "As Ks Qs Js Ts"),
)
PLACES = 21
COUNTED_BY = ("feltwork.odds.kernels.five_card", "feltwork.titles.jackpots.holdem")


def count_hole_and_board() -> Atoms:
    """Count sets of seven cards, each times the ways to place the cards."""
    from feltwork.odds.kernels.five_card import category_counts

    names = registry.jackpot("holdem").names
    atoms: Counter[Names] = Counter()
    *sets_by_category, royals = category_counts(7)
    for category, sets in zip(FiveCardCategory, sets_by_category, strict=True):
        atoms[names_of(Hand(category, (2, 2)), ROWS)] += sets * PLACES
    for places, hole, board in ROYAL_PLACES:
        atoms[names((parse_cards(hole), parse_cards(board)))] += royals * places
    return atoms


ODDS = TitleOdds(
    bets={
        "jackpot": CountedBet(
            atoms=lambda: kept_atoms("hole_and_board", count_hole_and_board, of=COUNTED_BY),
            method="all 133,784,560 sets of seven cards, each placed in all ways",
            figures=("fixed_return", "break_even_meter"),
            listed={"paytable": ("THBP-08", "QH-11")},
        )
    },
)
