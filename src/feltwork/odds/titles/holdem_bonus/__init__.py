"""Texas Hold'em Bonus: counts, optimal play, prices."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

from feltwork.odds.atoms import Atoms, Names, suit_classes
from feltwork.odds.count_cache import kept_atoms
from feltwork.odds.figures.families import BET, solved
from feltwork.odds.title_odds import BaseGame, CountedBet, DrawnHand, SolvedGame, TitleOdds, net_results
from feltwork.odds.titles.holdem_bonus import alike, strategy, strategy_text
from feltwork.odds.titles.holdem_bonus.folded import FOLDED
from feltwork.odds.titles.holdem_bonus.solve import CRITERIA, DEALS, HOLE_PAIRS, solution
from feltwork.titles.cards.card import DECK
from feltwork.titles.games.holdem_bonus.rules import bonus_names
from feltwork.titles.title import Sight

HOLE_CARDS = ("feltwork.odds.atoms", "feltwork.titles.games.holdem_bonus.rules")
METHOD = (
    "optimal play over every deal: all hole pairs settled on each canonical board, then turn and river "
    "decisions flop by flop"
)


def count_hole_cards() -> Atoms:
    """Count the player's two cards against the dealer's two."""
    atoms: Counter[Names] = Counter()
    for hole, ways in suit_classes(2):
        for dealer in combinations([card for card in DECK if card not in hole], 2):
            atoms[bonus_names(hole, dealer)] += ways
    return atoms


def _hole_names(sight: Sight) -> Names:
    return bonus_names(*sight)


def _solve(ante_wins_with: str) -> SolvedGame:
    play = solution(ante_wins_with)
    return SolvedGame(
        strategy=strategy_text.in_words(play),
        figures={
            "house edge": play.house_edge,
            "element of risk": play.element_of_risk,
            "fold frequency": play.fold_frequency,
            "Turn bet frequency": play.turn_bet_frequency,
            "River bet frequency": play.river_bet_frequency,
            "variance": play.variance,
        },
        outcomes=net_results(
            {Fraction(net): int(chance * HOLE_PAIRS * DEALS) for net, chance in play.distribution.items()}
        ),
    )


ODDS = TitleOdds(
    bets={
        "bonus": CountedBet(
            atoms=lambda: kept_atoms("hole_cards", count_hole_cards, of=HOLE_CARDS),
            method="every pair of hole cards against every pair of the dealer's",
            figures=BET,
            drawn=DrawnHand((2, 2), _hole_names, HOLE_CARDS),
        )
    },
    base_game=BaseGame(solve=_solve, method=METHOD, options={"ante_wins_with": CRITERIA}),
    figures=solved(
        "holdem_bonus/base/{criterion}",
        ("house_edge", "element_of_risk"),
        solution,
        listed={"criterion": CRITERIA},
        method=METHOD,
    ),
    advise=strategy.advise,
    asks=strategy.ASKS,
    player=strategy.player,
    alike=alike.alike,
    folded=FOLDED,
)
