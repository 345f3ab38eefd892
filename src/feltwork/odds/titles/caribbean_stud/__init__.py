"""Caribbean Stud: Cover All, and how often each row of the Raise is dealt."""

from collections import Counter
from functools import cache

from feltwork.hands.category import Hand, names_of
from feltwork.hands.five_card import ROWS, FiveCardCategory
from feltwork.odds.atoms import Atoms, Names
from feltwork.odds.figures.families import BET, priced
from feltwork.odds.pricing import Price, price
from feltwork.odds.title_odds import CountedBet, SolvedGame, TitleOdds, nothing_folded
from feltwork.odds.titles import five_card
from feltwork.odds.titles.caribbean_stud import certificate
from feltwork.odds.titles.caribbean_stud.counts import highest_hand_counts
from feltwork.titles import registry

METHOD = (
    "shipped certificate, re-derived by --recompute: disjoint good hands counted exactly, then "
    "inclusion-exclusion over how many are good"
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


ODDS = TitleOdds(
    bets={
        "cover_all": CountedBet(atoms=cover_all_atoms, method=METHOD, options={"hands": HANDS}),
        "raise": CountedBet(
            atoms=five_card.atoms,
            method="all 2,598,960 five-card hands, named by the rules",
            solve=lambda _paytable: SolvedGame(
                strategy=("The base game is not solved; the frequencies are those of the dealt hands.",)
            ),
        ),
    },
    figures=priced("caribbean_stud/cover_all", BET, _cover_all, listed={"hands": HANDS}, method=METHOD),
    certificates={"caribbean_stud/cover_all": lambda: certificate.recomputed() == certificate.shipped()},
    # A pair or better is raised.
    folded={"five_card": nothing_folded},
)
